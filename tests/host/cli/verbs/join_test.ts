import { assertEquals, assertMatch } from "@std/assert";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const rows = Array.from({ length: 10_000 }, (_, row) => `${row},town ${row}\n`).join("");
const files: Record<string, string> = {
  "parcels.csv": "zip,kg\n8001,2\nD-1,3\n",
  "zips.csv": `zip,city\n${rows}D-1,Łódź\n`,
};

Deno.test("join takes the types of FILE that its errors ask for", () =>
  inFolder(files, async (cwd) => {
    const run = (...words: string[]) =>
      sluice(
        ["--device=cpu", "read", "parcels.csv", "then", "join", "zips.csv", "--on", "zip", ...words]
          .concat("then", "write", "-", "--format=csv"),
        { cwd },
      );
    const guessed = await run();
    assertEquals(guessed.status, 2, guessed.err);
    assertMatch(guessed.err, /no common type for string and int64/);
    const told = await run("--types", "zip=string");
    assertEquals([told.status, told.err], [0, ""]);
    assertEquals(told.out, "zip,kg,city\n8001,2,town 8001\nD-1,3,Łódź\n");
    const unknown = await run("--types=zip=strin");
    assertEquals(unknown.status, 2);
    assertMatch(unknown.err, /Unknown type "strin"; did you mean string\?/);
  }));

Deno.test("join replaces text of FILE that is no UTF-8 where it is told to", () =>
  inFolder(files, async (cwd) => {
    const broken = Uint8Array.of(...new TextEncoder().encode("zip,city\n8001,"), 0xff, 0x0a);
    await Deno.writeFile(`${cwd}/broken.csv`, broken);
    const run = (...words: string[]) =>
      sluice(
        ["--device=cpu", "read", "parcels.csv", "--types=zip=string", "then", "join", "broken.csv"]
          .concat("--on=zip", "--types=zip=string", ...words, "then", "write", "-", "--format=csv"),
        { cwd },
      );
    const refused = await run();
    assertEquals(refused.status, 1);
    assertMatch(refused.err, /broken\.csv: row 0, column city: invalid UTF-8/);
    const replaced = await run("--invalid=replace");
    assertEquals([replaced.status, replaced.err], [0, ""]);
    assertEquals(replaced.out, "zip,kg,city\n8001,2,\ufffd\n");
  }));
