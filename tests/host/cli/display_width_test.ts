import { assertEquals } from "@std/assert";
import { cutToWidth, displayWidth } from "../../../cli/display_width.ts";

Deno.test("displayWidth() counts columns of the terminal", () => {
  const table: [string, number][] = [
    ["", 0],
    ["abc", 3],
    ["żółć", 4],
    ["e\u0301", 1],
    ["日本語", 6],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
  ];
  for (const [text, width] of table) assertEquals(displayWidth(text), width, text);
});

Deno.test("cutToWidth() cuts between characters and shows that it did", () => {
  assertEquals(cutToWidth("abcdef", 6), "abcdef");
  assertEquals(cutToWidth("abcdef", 4), "abc…");
  assertEquals(cutToWidth("日本語", 4), "日…");
  assertEquals(cutToWidth("🙂🙂", 3), "🙂…");
});
