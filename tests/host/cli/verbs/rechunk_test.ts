/** `rechunk` as a step of a pipeline. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

/** Makes an array of version 2, items 0 to 11 in two chunks of rows. */
async function makeArray(path: string): Promise<void> {
  await Deno.mkdir(path);
  const array = { zarr_format: 2, shape: [4, 3], chunks: [2, 3], dtype: "|u1", fill_value: 0 };
  await Deno.writeTextFile(`${path}/.zarray`, JSON.stringify(array));
  await Deno.writeTextFile(`${path}/.zattrs`, `{"_ARRAY_DIMENSIONS": ["y", "x"]}`);
  await Deno.writeFile(`${path}/0.0`, Uint8Array.of(0, 1, 2, 3, 4, 5));
  await Deno.writeFile(`${path}/1.0`, Uint8Array.of(6, 7, 8, 9, 10, 11));
}

Deno.test("rechunk is a step between read and write, with and without an array before it", () =>
  inFolder(async (cwd) => {
    await makeArray(`${cwd}/a.zarr`);
    const steps = ["then", "rechunk", "--to", "-1,1", "--max-mem", "1MB", "then", "write"];
    const first = await sluice(["read", "a.zarr", ...steps, "b.zarr"], { cwd });
    assertEquals([first.status, first.err], [0, ""]);
    await sluice(["read", "a.zarr", "then", "write", "a.parquet"], { cwd });
    const named = ["--to", "x=1,y=*", "--max-mem", "1kB", "--stages", "0"];
    const second = await sluice(
      ["read", "a.parquet", "then", "rechunk", ...named, "then", "write", "c.zarr"],
      { cwd },
    );
    assertEquals([second.status, second.err], [0, ""]);
    for (const name of ["b", "c"]) {
      const columns = [0, 1, 2].map((x) => [...Deno.readFileSync(`${cwd}/${name}.zarr/0.${x}`)]);
      assertEquals(columns, [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]);
    }
  }));

Deno.test("limits of memory are called as on the command line", () =>
  inFolder(async (cwd) => {
    await makeArray(`${cwd}/maxMem.zarr`);
    const limits = ["--to", "-1,1", "--max-mem", "8"];
    const words = ["read", "maxMem.zarr", "then", "rechunk", ...limits, "then", "write", "b.zarr"];
    const { status, err } = await sluice(words, { cwd });
    assertEquals(status, 2);
    const message = "sluice: error: step 2, rechunk: maxMem.zarr: --max-mem of 8 B is too little";
    assertEquals(err.slice(0, message.length), message);
  }));

Deno.test("mistakes in a step of rechunk are told before anything runs", async () => {
  const cases: [words: string[], problem: string][] = [
    [["--max-mem", "1MB"], "rechunk needs --to"],
    [["--to", "1"], "rechunk needs --max-mem"],
    [["--to", "1,b", "--max-mem", "1MB"], "--to"],
    [["--to", "1", "--max-mem", "1MB", "--stages", "x"], "--stages"],
    [["--to", "1", "--max-mem", "1MB", "more"], "rechunk --to A,B"],
  ];
  for (const [words, problem] of cases) {
    const { status, err } = await sluice(["read", "none.zarr", "then", "rechunk", ...words]);
    assertEquals(status, 2);
    assertStringIncludes(err, problem);
  }
  const { out } = await sluice(["help", "rechunk"]);
  assertStringIncludes(out, "then rechunk --to -1,10,10");
  assertStringIncludes(out, "sluice rechunk plan");
});
