import { assertEquals } from "@std/assert";
import { mayHaveHardware } from "../../../gpu/graphics_hardware.ts";

Deno.test({
  name: "hardware may be there where Linux shows a file of it, or does not let us look",
  ignore: Deno.build.os !== "linux",
  fn: () => {
    const withFiles = (...files: string[]) => mayHaveHardware((path) => files.includes(path));
    assertEquals(withFiles(), false);
    assertEquals(withFiles("/dev/null"), false);
    assertEquals(withFiles("/dev/dri"), true);
    assertEquals(withFiles("/dev/nvidiactl"), true);
    const has = (path: string) => {
      try {
        return Deno.statSync(path) !== undefined;
      } catch {
        return false;
      }
    };
    assertEquals(mayHaveHardware(), mayHaveHardware(has));
  },
});

Deno.test({
  name: "a program that may not look asks the drivers",
  ignore: Deno.build.os !== "linux",
  permissions: { read: false },
  fn: () => assertEquals(mayHaveHardware(), true),
});
