import { assertEquals } from "@std/assert";
import { hexDigit } from "../../../../../ops/string/convert/hex.ts";

Deno.test("a byte is a hexadecimal digit where JavaScript reads one, in either case", () => {
  for (let byte = 0; byte < 256; byte++) {
    const char = String.fromCharCode(byte);
    const wanted = /[0-9a-fA-F]/.test(char) ? parseInt(char, 16) : -1;
    assertEquals(hexDigit(byte), wanted, `byte ${byte}`);
  }
  // What a text has behind its end.
  assertEquals(hexDigit(-1), -1);
});
