import { assert, assertEquals, assertMatch } from "@std/assert";
import { countsLine, errorsOf, longestLines, resultOf } from "../../../scripts/side_by_side.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

/** Runs files of tests as `deno task test` does; gives the status and the lines that are printed. */
async function runFiles(
  files: Readonly<Record<string, string>>,
): Promise<{ status: number; lines: string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-test-" });
  try {
    for (const [name, code] of Object.entries(files)) {
      const path = `${folder}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, code);
    }
    const module = checkoutPath("scripts/side_by_side.ts");
    const [found, suites] = ["test_files", "suites"].map((name) =>
      JSON.stringify(checkoutPath(`scripts/${name}.ts`))
    );
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        "--no-lock",
        `import { runSideBySide } from ${JSON.stringify(module)};
         import { findTestFiles } from ${found};
         import { unitsOf } from ${suites};
         const { failed } = await runSideBySide(unitsOf(findTestFiles([${
          JSON.stringify(folder)
        }])), {
           args: ["test", "-A", "--no-check", "--no-lock"],
         });
         Deno.exit(failed === 0 ? 0 : 1);`,
      ],
      env: { DENO_JOBS: "2" },
    }).output();
    assertEquals(new TextDecoder().decode(stderr), "");
    const lines = new TextDecoder().decode(stdout).replaceAll(`${folder}/`, "").split("\n");
    return { status: code, lines };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("files run side by side: a line each, what failed in full, and a last line that counts", async () => {
  const { status, lines } = await runFiles({
    "good_test.ts": 'Deno.test("one", () => {}); Deno.test.ignore("two", () => {});',
    "bad_test.ts": 'Deno.test("three", () => { throw new Error("what went wrong"); });',
    "folder/worse_test.ts": "this is no code",
    "helper.ts": "throw new Error('not a test');",
  });
  assertEquals(status, 1);
  const [line, ...rest] = ["bad_test", "worse_test", "good_test"].map((name) =>
    lines.filter((text) => text.includes(`${name}.ts: `)).join()
  );
  assertMatch(line!, /^FAILED +[\d.]+ s {2}bad_test.ts: 0 passed, 1 failed$/);
  assertMatch(rest[0]!, /^FAILED +[\d.]+ s {2}folder\/worse_test.ts: 0 passed, 1 failed$/);
  assertMatch(rest[1]!, /^ok +[\d.]+ s {2}good_test.ts: 1 passed, 0 failed, 1 ignored$/);
  assertEquals(lines[lines.indexOf(line!) + 1], "  error: Error: what went wrong");
  assertEquals(lines.filter((text) => text === "error: Error: what went wrong").length, 1);
  assertEquals(lines.filter((text) => text === "It ended with status 1").length, 1);
  assertMatch(lines.at(-2)!, /^1 passed, 2 failed, 1 ignored \(3 files, [\d.]+ s(, [^)]+)?\)$/);
});

Deno.test({
  name: "the last line has the processor time of the files and of what they started",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    // Half a second of it in the file, and a whole one in what it starts.
    const compute = (seconds: number) =>
      `const { user, system } = process.cpuUsage(); while (true) {
         const now = process.cpuUsage();
         if (now.user + now.system - user - system > ${1e6 * seconds}) break;
       }`;
    const { lines } = await runFiles({
      "one_test.ts": `import process from "node:process";
        Deno.test("one", async () => {
          const code = ${
        JSON.stringify(`const { default: process } = await import("node:process");${compute(1)}`)
      };
          await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-lock", code] }).output();
          ${compute(0.5)}
        });`,
      "two_test.ts": 'Deno.test("two", () => {});',
    });
    const line = lines.at(-2)!;
    assertMatch(line, /^2 passed, 0 failed \(2 files, [\d.]+ s, [\d.]+ s of processor time\)$/);
    assert(Number(/([\d.]+) s of processor/.exec(line)![1]) > 1.5, line);
  },
});

Deno.test("of many files, those with the most processor time are named, the longest first", () => {
  const results = Array.from({ length: 20 }, (_, index) => ({
    file: `${index}_test.ts`,
    processorSeconds: (7 * index) % 20,
  }));
  const [title, ...lines] = longestLines(results);
  assertEquals(title, "\nThe most processor time:");
  assertEquals(
    lines.map((line) => line.trim().split(/ s +/)),
    [17, 14, 11, 8, 5, 2, 19, 16, 13, 10].map((index, place) => [
      `${19 - place}.0`,
      `${index}_test.ts`,
    ]),
  );
  assertEquals(longestLines(results.slice(1)), []);
});

Deno.test("counts are read from the last line of deno test, and from how it ended", () => {
  const ok = "one ... ok\n\nok | 3 passed (1 step) | 0 failed | 2 ignored (1 step) (2s)\n";
  const bad = "FAILED | 1 passed | 12 failed (1m2s)\n";
  const [host, device] = ["tests/host/a_test.ts", "tests/device/a_test.ts"] as const;
  const cases: [string, number | string, string, string][] = [
    [host, 0, ok, "3 passed, 0 failed, 2 ignored"],
    [host, 1, bad, "1 passed, 12 failed"],
    [host, 1, ok, "3 passed, 1 failed, 2 ignored"],
    [host, 1, "no such file", "0 passed, 1 failed"],
    [host, "SIGABRT", ok, "3 passed, 1 failed, 2 ignored"],
    [device, "SIGABRT", ok, "3 passed, 0 failed, 2 ignored"],
    [device, "SIGSEGV", "one ... ok", "0 passed, 1 failed"],
    [device, "SIGABRT", bad, "1 passed, 12 failed"],
    [device, "15 minutes", ok, "3 passed, 1 failed, 2 ignored"],
  ];
  for (const [file, end, output, expected] of cases) {
    assertEquals(countsLine(resultOf(file, end, output)), expected, `${file} ${end} ${output}`);
  }
});

Deno.test("an error of two values is a line with what differs", () => {
  const output = `one ... FAILED
error: AssertionError: Values are not equal.


    [Diff] Actual / Expected

    {
      a: 1,
-     code: 139,
+     code: 0,
    }

  throw new AssertionError(message);
error: Test failed
`;
  assertEquals(errorsOf(output), [
    "error: AssertionError: Values are not equal. - code: 139, + code: 0,",
    "error: Test failed",
  ]);
});
