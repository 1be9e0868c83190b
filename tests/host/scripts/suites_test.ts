import { assert, assertEquals } from "@std/assert";
import { mayShare, suitesOf, unitsOf } from "../../../scripts/suites.ts";
import { findTestFiles } from "../../../scripts/test_files.ts";

Deno.test("suites have each file once, in modules that import what they are called after", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = findTestFiles(["tests/host/", "tests/device/"]);
    const units = await suitesOf(files, folder);
    assertEquals(units.reduce((sum, { numFiles }) => sum + numFiles, 0), files.length);
    const own = new Set(files);
    const found = units.flatMap(({ name, module, numFiles }) => {
      if (own.has(module)) return [name];
      const urls = [...Deno.readTextFileSync(module).matchAll(/^import "file:\/\/(.*)";$/gm)];
      assertEquals(urls.length, numFiles);
      assert(numFiles <= 10, name);
      return urls.map(([, path]) => path!.slice(`${Deno.realPathSync(".")}/`.length));
    });
    assertEquals(found.sort(), [...files].sort());
    assert(units.length < files.length / 2, `${units.length} processes`);
    assertEquals(unitsOf(files).map(({ module }) => module), files);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("files that change their process, start many or use a driver have one of their own", () => {
  for (const file of findTestFiles(["tests/host/", "tests/device/"])) {
    const code = Deno.readTextFileSync(file);
    const isAlone = /^tests\/(device|host\/(cli|scripts|bench))\//.test(file) ||
      /Deno\.env\.set|fake_timers\.ts|kernel_steps\.ts/.test(code);
    if (isAlone) assert(!mayShare(file), file);
  }
});
