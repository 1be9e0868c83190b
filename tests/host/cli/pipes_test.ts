import { assertEquals, assertMatch } from "@std/assert";
import { bash } from "../../support/processes/bash.ts";
import { flightsFile, inFolder, sluiceCommand } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";
import { until } from "../../support/running/until.ts";

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "an Arrow stream goes from one process to the next",
  ignore,
  fn: () =>
    inFolder({}, async (cwd) => {
      const line =
        `sluice read "$FLIGHTS" then filter 'delay > 600' | sluice select origin | sluice count`;
      assertEquals(await bash(line, cwd), { code: 0, out: "272\n", err: "" });
    }),
});

Deno.test({
  name: "a reader that stops early ends the writer quietly",
  ignore,
  fn: () =>
    inFolder({}, async (cwd) => {
      const stopped = await bash(`sluice read "$FLIGHTS" | head -c 100 | wc -c`, cwd);
      assertEquals({ ...stopped, out: stopped.out.trim() }, { code: 0, out: "100", err: "" });
      const few = await bash(`sluice read "$FLIGHTS" | sluice head 3 then count`, cwd);
      assertEquals(few, { code: 0, out: "3\n", err: "" });
      const lines = await bash(`sluice read "$FLIGHTS" then show 100000 | head -n 1`, cwd);
      assertEquals([lines.code, lines.err], [0, ""]);
    }),
});

const fails = /^sluice: error: [^\n]+\n$/;
const airports = `sluice read "$AIRPORTS" --columns iata,state then head 3`;
const rows = ["00M,MS", "00R,TX", "00V,CO"];
const csv = ["iata,state", ...rows, ""].join("\n");

Deno.test({
  name: "/dev/full as stdout is a failure of one line, of whatever prints",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      const read = `sluice read "$AIRPORTS" then`;
      const lines = [
        `sluice read "$FLIGHTS" > /dev/full`,
        ...["show", "count", "schema", "explain", "write - --format csv", "write /dev/stdout"]
          .map((verb) => `${read} ${verb} > /dev/full`),
        ...["help", "doctor", "ops", "--version"].map((word) => `sluice ${word} > /dev/full`),
      ];
      for (const line of someOf(lines, 3)) {
        const { code, err } = await bash(line, cwd);
        assertMatch(err, fails, line);
        assertMatch(err, /standard output: no space left on device\n$/, line);
        assertEquals(code, 1, line);
      }
      // What cannot be told on stderr does not change how it ends.
      const mute = await bash(`sluice read none.csv 2> /dev/full; sluice --bad 2>&-; echo $?`, cwd);
      assertEquals(mute.out, "2\n");
    }),
});

Deno.test({
  name: "stdout that is a file is written where it stands, under each of its names",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      for (const name of someOf(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"], 1)) {
        await bash("ln -sf /dev/stdout link.csv; echo before > log; ln -f log other", cwd);
        const append = await bash(`${airports} then write ${name} --format csv >> log`, cwd);
        assertEquals(append, { code: 0, out: "", err: "" });
        assertEquals(await Deno.readTextFile(`${cwd}/log`), `before\n${csv}`, name);
        const anew = await bash(
          `{ echo first; ${airports} then write ${name} --format csv; echo last; } > log`,
          cwd,
        );
        assertEquals(anew, { code: 0, out: "", err: "" });
        // The other name shows that it is the same file.
        assertEquals(await Deno.readTextFile(`${cwd}/other`), `first\n${csv}last\n`, name);
        assertEquals((await bash(`${airports} then write ${name} | sluice count`, cwd)).out, "3\n");
      }
      await bash(`echo before > log; ${airports} then write link.csv >> log`, cwd);
      assertEquals(await Deno.readTextFile(`${cwd}/log`), `before\n${csv}`);
      assertEquals(await Deno.readLink(`${cwd}/link.csv`), "/dev/stdout");
      assertEquals(
        [...Deno.readDirSync(cwd)].map(({ name }) => name).sort(),
        ["link.csv", "log", "other"],
      );
    }),
});

Deno.test({
  name: "formats that can stream go through pipes, from stdin and to stdout under each name",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      const names = [["-", "-"], ["/dev/stdout", "/dev/stdin"], ["/dev/fd/1", "/dev/fd/0"]];
      for (const [i, format] of someOf([...["arrow", "csv", "tsv", "ndjson"].entries()], 1)) {
        const [to, from] = names[i % names.length]!;
        const line = `${airports} then write ${to} --format ${format} |
          sluice read ${from} --format ${format} then write - --format csv`;
        assertEquals(await bash(line, cwd), { code: 0, out: csv, err: "" });
      }
      const file = `${airports} then write a.arrow
        sluice read - then write - --format csv < a.arrow;
        cat a.arrow | sluice read - then count`;
      assertEquals(await bash(file, cwd), { code: 0, out: `${csv}3\n`, err: "" });
      const parquet = `${airports} then write - --format parquet | cat > a.parquet
        sluice read a.parquet then write - --format csv`;
      assertEquals(await bash(parquet, cwd), { code: 0, out: csv, err: "" });
      const { code, err } = await bash(`cat a.parquet | sluice read - --format parquet`, cwd);
      assertMatch(
        err,
        /^sluice: error: step 1, read: standard input: Parquet, [^\n]* a pipe; .*\n$/,
      );
      assertEquals(code, 1);
    }),
});

Deno.test({
  name: "stdin is read once, or it is an error, so that nobody gets a part of it",
  ignore,
  fn: () =>
    inFolder({ "k.csv": "a\n1\n2\n" }, async (cwd) => {
      const cases = ["-", "/dev/stdin"].flatMap((other) => [
        [`read - --format csv then join ${other} --format csv --on a`, "2, join"],
        [`read - ${other} --format csv`, "1, read"],
      ]);
      for (const [words, step] of someOf(cases, 2)) {
        const { code, out, err } = await bash(`cat k.csv | sluice ${words} then count`, cwd);
        const message = `sluice: error: step ${step}: standard input: can be read only once\n`;
        assertEquals([code, out, err], [2, "", message]);
      }
    }),
});

Deno.test({
  name: "what is no plain file is written to, and not replaced",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      for (const name of someOf(["p.csv", "p.arrow", "p.parquet", "p.ndjson"], 1)) {
        const line = `mkfifo ${name}; cat ${name} > got.${name} & ${airports} then write ${name}
          wait; sluice read got.${name} then write - --format csv; test -p ${name} && rm got.${name}`;
        assertEquals(await bash(line, cwd), { code: 0, out: csv, err: "" }, name);
      }
      const back = await bash(`mkfifo pipe.csv; ${airports} then write pipe.csv then count`, cwd);
      const problem = "Nothing can follow: pipe.csv is a pipe or a device";
      assertEquals(back, { code: 2, out: "", err: `sluice: error: step 4, count: ${problem}\n` });
      const device = await bash(
        `${airports} then write /dev/null --format csv; test -c /dev/null`,
        cwd,
      );
      assertEquals(device, { code: 0, out: "", err: "" });
      const third = await bash(
        `echo before > log; ${airports} then write /dev/fd/3 --format csv 3>> log; cat log
        ${airports} then write /dev/stderr --format csv`,
        cwd,
      );
      assertEquals(third, { code: 0, out: `before\n${csv}`, err: csv });
      const [bash1, bash2] = [
        await bash(`${airports} then write /dev/fd/3 3>> log`, cwd),
        await bash(`${airports} then write - then count`, cwd),
      ];
      assertMatch(
        bash1.err,
        /^sluice: error: step 3, write: \/dev\/fd\/3: has an unknown format: /,
      );
      assertMatch(
        bash2.err,
        /^sluice: error: step 4, count: Nothing can follow: write - writes to stdout/,
      );
      assertEquals([bash1.code, bash2.code], [2, 2]);
    }),
});

Deno.test({
  name: "a number under which nothing was given is an error, whatever the runtime has there",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({ "k.csv": "a\n1\n" }, async (cwd) => {
      const copy = "sluice read k.csv then write";
      for (const number of someOf([3, 4, 12, 99], 1)) {
        const fd = `/dev/fd/${number}`;
        for (const line of [`${copy} ${fd} --format csv`, `sluice read ${fd} --format csv`]) {
          // Whoever runs the tests may have given it.
          const { code, err } = await bash(`${line} < k.csv > out ${number}>&-`, cwd);
          assertMatch(err, fails, line);
          assertEquals(code, 1);
        }
      }
      const only = await bash(`${copy} /dev/fd/3 --format csv 3< k.csv`, cwd);
      assertMatch(only.err, /\/dev\/fd\/3: is not open for writing\n$/);
      const given =
        `sluice read <(cat k.csv) --format csv then write >(cat > got; echo >> got) --format csv
        wait $!; cat got; sluice read /dev/fd/3 --format csv then count 3< k.csv`;
      assertEquals(await bash(given, cwd), { code: 0, out: "a\n1\n\n1\n", err: "" });
      assertEquals(await Deno.readTextFile(`${cwd}/k.csv`), "a\n1\n");
    }),
});

Deno.test({
  name: "a file that is appended to itself ends with an error of both sizes",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      await bash(`sluice read "$AIRPORTS" then write a.csv`, cwd);
      const { size } = await Deno.stat(`${cwd}/a.csv`);
      const { code, err } = await bash(`sluice read a.csv then write - --format csv >> a.csv`, cwd);
      const sizes = new RegExp(
        `: a\\.csv: had ${size} bytes when it was opened and has \\d+ now\n$`,
      );
      assertMatch(err, sizes);
      assertEquals(code, 1);
    }),
});

/** Waits until the folder holds a file that is being written. */
async function partialFile(folder: string): Promise<void> {
  const isThere = () => [...Deno.readDirSync(folder)].some(({ name }) => name.includes(".partial"));
  await until(isThere, "output is begun");
}

for (const [signal, status] of someOf([["SIGINT", 130], ["SIGTERM", 143]] as const, 1)) {
  Deno.test({
    name: `${signal} in the middle removes what was begun and exits with ${status}`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inFolder({ "out.arrow": "before" }, async (cwd) => {
        const files = Array<string>(8).fill(flightsFile);
        const command = [
          "read",
          ...files,
          "then",
          "with",
          "o = origin.lower()",
          "then",
          "write",
          "out.arrow",
        ];
        const child = sluiceCommand(command, { cwd }).spawn();
        const output = child.output();
        await partialFile(cwd);
        child.kill(signal);
        const { code, stdout, stderr } = await output;
        assertEquals([code, stdout.length, new TextDecoder().decode(stderr)], [status, 0, ""]);
        assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name), ["out.arrow"]);
        assertEquals(await Deno.readTextFile(`${cwd}/out.arrow`), "before");
      }),
  });
}
