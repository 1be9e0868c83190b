import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { read } from "../../../mod.ts";
import { bash } from "../../support/processes/bash.ts";
import { probeKey, writeBuildSide, writeProbeSide } from "../../support/joins/large_sides.ts";
import { inFolder, sluice, sluiceCommand } from "../../support/processes/sluice.ts";
import { fewOr, someOf } from "../../support/random/test_size.ts";
import { until } from "../../support/running/until.ts";

const MIB = 2 ** 20;

/** Files of both sides in a folder, and a folder of its own for temporary files. */
function sides(cwd: string, numBuildRows: number, numProbeRows: number): void {
  Deno.mkdirSync(`${cwd}/temp`);
  writeBuildSide(`${cwd}/build.arrow`, numBuildRows);
  writeProbeSide(`${cwd}/probe.arrow`, numProbeRows, numBuildRows);
}

const BY_KEY = ["--on", "key"];
const BY_CONDITION = ["--where", "key == right.key"];

/** The words of a command that joins them with some memory. */
function join(memory: string, build = "build.arrow", by = BY_KEY): string[] {
  const options = ["--stats", "--memory", memory, "--temp", "temp"];
  return [...options, "read", "probe.arrow", "then", "join", build, ...by];
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

/** The peak memory that `--stats` tells, in bytes. */
function peakBytes(stats: string): number {
  const [, number, unit] = /^peak memory +([\d.]+) (\w+)$/m.exec(stats)!;
  return Number(number) * { MiB: MIB, GiB: 2 ** 30 }[unit as "MiB" | "GiB"];
}

/** Joins a build side of 20 times the memory, and checks every row and the peak memory. */
async function joinLarge(memory: number, numProbeRows: number, by: string[]): Promise<void> {
  await inFolder(async (cwd) => {
    // Of 64 bytes each.
    const numBuildRows = 20 * memory / 64;
    sides(cwd, numBuildRows, numProbeRows);
    writeBuildSide(`${cwd}/small.arrow`, 1000);
    const write = ["then", "write", "out.arrow"];
    const mib = `${memory / MIB}MiB`;
    const small = await sluice([...join(mib, "small.arrow", by), ...write], { cwd });
    assertEquals(small.status, 0, small.err);
    const large = await sluice([...join(mib, "build.arrow", by), ...write], { cwd });
    assertEquals(large.status, 0, large.err);
    assertEquals(namesIn(`${cwd}/temp`), []);
    assertStringIncludes(large.err, "spilled");
    assert(!small.err.includes("spilled"));
    const [more, peak] = [peakBytes(large.err) - peakBytes(small.err), peakBytes(large.err)];
    console.log(`peak ${Math.round(peak / MIB)} MiB, ${Math.round(more / MIB)} more`);
    // Besides the memory of the join there is what the collector has not yet freed, which is more
    // where other processes want the processors too. The build side itself would be 20 times it.
    assert(more < memory + 384 * MIB, `${more / MIB} MiB more than with a small build side`);
    let row = 0;
    for await (const batch of read(`${cwd}/out.arrow`)) {
      const [rows, keys, twice] = ["row", "key", "twice"]
        .map((name) => batch.getChild(name)!.toArray());
      for (let i = 0; i < batch.numRows; i++, row++) {
        const key = BigInt(probeKey(row, numBuildRows));
        if (rows[i] !== BigInt(row) || keys[i] !== key || twice[i] !== 2n * key) {
          throw new Error(`Row ${row} is ${rows[i]}, ${keys[i]}, ${twice[i]}`);
        }
      }
    }
    assertEquals(row, numProbeRows);
  });
}

Deno.test("a build side of 20 times the memory is joined in that memory, in order", () =>
  joinLarge(fewOr(4, 24) * MIB, fewOr(30_000, 150_000), BY_KEY));

Deno.test("a join by a condition with 20 times the memory is done in that memory, in order", () =>
  joinLarge(fewOr(2, 16) * MIB, fewOr(30_000, 100_000), BY_CONDITION));

Deno.test("nothing is left of temporary files: after success, the first rows, and errors", () =>
  inFolder(async (cwd) => {
    sides(cwd, fewOr(40_000, 100_000), fewOr(40_000, 100_000));
    const cases: [string[], number, string][] = [
      [["then", "count"], 0, ""],
      [["then", "head", "5", "then", "show"], 0, ""],
      [["--order", "none", "then", "head", "5", "then", "show"], 0, ""],
      [["then", "with", 'y = cast(text, "int64")', "then", "write", "out.arrow"], 1, "step 3"],
      [["then", "write", "none/out.arrow"], 1, "none"],
    ];
    for (const [rest, status, message] of someOf(cases, 2)) {
      for (const by of [BY_KEY, BY_CONDITION]) {
        if (by === BY_CONDITION && rest[0] === "--order") continue;
        const result = await sluice([...join("1MiB", "build.arrow", by), ...rest], { cwd });
        assertEquals(result.status, status, result.err);
        assertStringIncludes(result.err, message);
        assertEquals(namesIn(`${cwd}/temp`), [], rest.join(" "));
      }
    }
  }));

Deno.test("a folder for temporary files that is missing or full is one line of error", () =>
  inFolder(async (cwd) => {
    sides(cwd, 100_000, 1000);
    Deno.removeSync(`${cwd}/temp`);
    const missing = await sluice([...join("1MiB"), "then", "count"], { cwd });
    assertEquals(missing.status, 1);
    assertEquals(
      missing.err,
      "sluice: error: step 2, join: temp: cannot hold what exceeds the memory of a join, no such folder\n",
    );
    Deno.mkdirSync(`${cwd}/temp`);
    if (Deno.build.os === "windows") return;
    const words = [...join("1MiB"), "then", "write", "out.arrow"].join(" ");
    const full = (await bash(`trap "" XFSZ; ulimit -f 16; sluice ${words}`, cwd)).err;
    const line =
      /^sluice: error: step 2, join: temp\/sluice-\w+: cannot hold .*, file too large\n$/;
    assert(line.test(full), full);
    assertEquals(namesIn(`${cwd}/temp`), []);
  }));

for (const [signal, status] of someOf([["SIGINT", 130], ["SIGTERM", 143]] as const, 1)) {
  Deno.test({
    name: `${signal} in the middle of a join removes its temporary files`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inFolder(async (cwd) => {
        sides(cwd, 2_000_000, 1000);
        const child = sluiceCommand([...join("1MiB"), "then", "count"], { cwd }).spawn();
        const output = child.output();
        await until(() => namesIn(`${cwd}/temp`).length > 0, "rows are written");
        child.kill(signal);
        const { code, stderr } = await output;
        assertEquals([code, new TextDecoder().decode(stderr)], [status, ""]);
        assertEquals(namesIn(`${cwd}/temp`), []);
      }),
  });
}
