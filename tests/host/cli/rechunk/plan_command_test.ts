/** `sluice rechunk plan`: what it prints, what it draws, and what it refuses. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { parseCommandLine } from "../../../../cli/words/command_line.ts";
import { rechunk } from "../../../../cli/rechunk/rechunk.ts";
import { reportError } from "../../../../cli/print/report.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { pythonTest } from "../../../support/judges/python.ts";
import { checkoutPath, inFolder, sluice } from "../../../support/processes/sluice.ts";
import { someOf } from "../../../support/random/test_size.ts";

const era5 = [
  ...["rechunk", "plan", "--shape", "350640,721,1440", "--from", "31,721,1440"],
  ...["--to", "350640,10,10", "--itemsize", "4", "--min-mem", "10MB", "--max-mem", "500MB"],
];

/** What `--json` prints. */
interface PlanJson {
  readonly stages: readonly {
    readonly read: readonly number[];
    readonly intermediate: readonly number[];
    readonly write: readonly number[];
    readonly operations: number;
  }[];
  readonly reads: number;
  readonly writes: number;
  readonly bytes: number;
  readonly lowerBound: number;
  readonly peakMemory: number;
  readonly cost: number;
  readonly direct?: readonly number[];
}

async function planJson(args: readonly string[]): Promise<PlanJson> {
  const { status, out, err } = await sluice([...args, "--json"]);
  assertEquals([status, err], [0, ""]);
  return JSON.parse(out);
}

/** Distinct pairs of chunks that share an item, counted item by item along each axis. */
function pairs(shape: readonly number[], a: readonly number[], b: readonly number[]): number {
  return shape.reduce((product, length, axis) => {
    const met = new Set<number>();
    for (let item = 0; item < length; item++) {
      met.add(Math.floor(item / a[axis]!) * length + Math.floor(item / b[axis]!));
    }
    return product * met.size;
  }, 1);
}

Deno.test("the JSON of a plan has what it promises, with the counts that items give", async () => {
  const shape = [350640, 721, 1440];
  for (const [stages, reads, writes] of [[3, 163_307, 149_169], [4, 119_366, 105_228]] as const) {
    const plan = await planJson([...era5, "--stages", String(stages)]);
    const keys = ["stages", "reads", "writes", "bytes", "lowerBound", "peakMemory"];
    assertEquals(Object.keys(plan).slice(0, keys.length), keys);
    assertEquals(plan.stages.length, stages);
    assert(plan.reads <= reads && plan.writes <= writes);
    const middle = plan.stages.map(({ read, intermediate, write, operations }) => {
      assertEquals(intermediate, read.map((length, axis) => Math.min(length, write[axis]!)));
      assertEquals(operations, pairs(shape, read, write));
      for (const box of [read, write]) assert(4 * box.reduce((a, b) => a * b) <= 500e6);
      return operations;
    }).reduce((sum, operations) => sum + operations);
    const tail = pairs(shape, plan.stages.at(-1)!.write, [350640, 10, 10]);
    assertEquals(plan.writes, middle + tail);
    assertEquals(plan.reads, pairs(shape, [31, 721, 1440], plan.stages[0]!.read) + middle + tail);
    assertEquals(plan.bytes, 2 * (stages + 1) * 4 * 350640 * 721 * 1440);
  }
});

Deno.test("a plan without stages says which boxes go directly", async () => {
  const plan = await planJson(
    ["rechunk", "plan", "--shape", "8,8", "--from", "1,8", "--to", "8,1", "--itemsize", "1"]
      .concat("--max-mem", "1kB"),
  );
  assertEquals([plan.stages, plan.reads, plan.writes], [[], 8, 8]);
  assertEquals(plan.direct, [8, 8]);
});

Deno.test("an array without items is planned too", async () => {
  const words = "--shape 0,10 --from 1,10 --to 5,2 --itemsize 4 --max-mem 1kB".split(" ");
  const { reads, writes, direct } = await planJson(["rechunk", "plan", ...words]);
  assertEquals([reads, writes, direct], [0, 0, [1, 2]]);
});

Deno.test("-1 and * are the whole axis, and no chunk is longer than its axis", async () => {
  const plan = await planJson(era5);
  const same = era5.map((word) =>
    word === "31,721,1440" ? "31,*,-1" : word === "350640,10,10" ? "-1,10,1_0" : word
  );
  assertEquals(await planJson(same), plan);
  const longer = era5.map((word) => word === "350640,10,10" ? "999999,10,10" : word);
  assertEquals(await planJson(longer), plan);
});

Deno.test("the text of a plan has its stages, counts and bounds", async () => {
  const { status, out, err } = await sluice(era5.concat("--stages", "3"));
  assertEquals([status, err], [0, ""]);
  assertMatch(out, /^350640,721,1440 items of 4 bytes, 1\.5 TB\n/);
  for (const text of ["stage 1: ", "stage 3: ", "163,307 reads", "149,169 writes", "124,910"]) {
    assertStringIncludes(out, text);
  }
});

/** Words behind `rechunk`, and what the one line says. */
const mistakes: readonly (readonly [words: string, line: RegExp])[] = [
  ["", /^rechunk needs plan or run; sluice help rechunk$/],
  ["plna --shape 1", /^rechunk needs .*, not "plna"; did you mean plan\?$/],
  ["plan", /^rechunk needs --to, /],
  ["plan --to 1", /^rechunk needs --max-mem, the memory to use, such as 500MB$/],
  ["plan --to 1 --max-mem 1MB", /^rechunk needs --shape, /],
  ["plan --to 1 --max-mem 1MB --shape 4", /^rechunk needs --from, /],
  ["plan --to 1 --max-mem 1MB --shape 4 --from 2", /^rechunk needs --itemsize, /],
  ["plan --shape 4 --shape 5", /^Option --shape occurs twice, with "4" and "5"$/],
  ["plan --json --json", /^Option --json occurs twice$/],
  ["plan --to", /^Option --to needs a value$/],
  ["plan --maxmem 1MB", /^Unknown option --maxmem; did you mean --max-mem\?$/],
  ["plan --json=x", /^Option --json takes no value, not "x"$/],
  ["plan then show", /^sluice rechunk cannot be part of a pipeline$/],
];

/** What is wrong with one option of a plan that is right else. */
const wrongOptions: readonly (readonly [option: string, value: string, line: RegExp])[] = [
  ["to", "2", /^--to 2 has 1 axis, but --shape has 2 axes$/],
  ["to", "2,2,2", /^--to 2,2,2 has 3 axes, but --shape has 2 axes$/],
  ["to", "0,2", /^--to, where -1 is the whole axis, takes a whole number of at least 1, not "0"$/],
  ["to", "2.5,2", /^--to.* takes a whole number of at least 1, not "2\.5"$/],
  ["to", "-2,2", /^--to.* takes a whole number of at least 1, not "-2"$/],
  ["to", "2,,2", /^--to takes lengths separated by commas, .* not "2,,2"$/],
  ["to", "2;2", /^--to.* takes a whole number of at least 1, not "2;2"$/],
  ["to", "2,y=2", /^--to takes lengths separated by commas, .* not "2,y=2"$/],
  ["to", "x=2,y=2", /^--to names dimensions, but --shape has none: write a list$/],
  ["to", "x=2,x=3", /^--to names x twice$/],
  ["to", "=2", /^--to has a length without a name, in =2$/],
  ["from", "8", /^--from 8 has 1 axis, but --shape has 2 axes$/],
  ["from", "0,8", /^--from.* takes a whole number of at least 1, not "0"$/],
  ["shape", "8,x", /^--shape takes a whole number of at least 0, not "x"$/],
  ["shape", "8,-1", /^--shape takes a whole number of at least 0, not "-1"$/],
  ["shape", "8,", /^--shape takes lengths separated by commas, such as 1000,10,10; not "8,"$/],
  ["shape", "8,1e3", /^--shape takes a whole number of at least 0, not "1e3"$/],
  ["shape", "8,99999999999999999999", /^--shape takes a whole number below 2\^53, not/],
  ["itemsize", "0", /^--itemsize takes a whole number of at least 1, not "0"$/],
  ["itemsize", "1.5", /^--itemsize takes a whole number of at least 1, not "1\.5"$/],
  ["itemsize", "4B", /^--itemsize takes a whole number of at least 1, not "4B"$/],
  ["max-mem", "0", /^--max-mem takes a size such as 64MiB, not "0"$/],
  ["max-mem", "much", /^--max-mem takes a size such as 64MiB, not "much"$/],
  ["max-mem", "5 XB", /^--max-mem takes a size such as 64MiB, not "5 XB"$/],
  ["max-mem", "-5MB", /^--max-mem takes a size such as 64MiB, not "-5MB"$/],
  ["max-mem", "2", /^--max-mem is 2 B, but one chunk of the source has 8 B: raise --max-mem to/],
  ["min-mem", "x", /^--min-mem takes a size such as 64MiB, not "x"$/],
  ["min-mem", "2GB", /^--min-mem of 2\.0 GB exceeds --max-mem of 1\.0 kB/],
  ["stages", "-1", /^--stages takes a whole number of at least 0, not "-1"$/],
  ["stages", "1.5", /^--stages takes a whole number of at least 0, not "1\.5"$/],
  ["stages", "all", /^--stages takes a whole number of at least 0, not "all"$/],
];

const right = {
  "shape": "8,8",
  "from": "1,8",
  "to": "8,1",
  "itemsize": "1",
  "max-mem": "1kB",
};

Deno.test("mistakes in the words are one line each, with status 2, and leave no file", () =>
  inFolder({}, async (cwd) => {
    for (const [words, line] of someOf(mistakes, 10)) {
      const all = ["rechunk", ...words.split(" ").filter((word) => word !== "")];
      const { status, out, err } = await sluice(all, { cwd });
      assertEquals([words, status, out], [words, 2, ""], err);
      assertMatch(/^sluice: error: (.*)\n$/.exec(err)?.[1] ?? `not one line: ${err}`, line);
    }
    assertEquals(namesIn(cwd), []);
  }));

Deno.test("every value that an option cannot have is refused by its name", () =>
  inFolder({}, async (cwd) => {
    const { options } = parseCommandLine(["rechunk"]);
    const ending = { cleanUp() {} };
    for (const [option, value, line] of wrongOptions) {
      const entries = Object.entries({ ...right, [option]: value, svg: `${cwd}/x.svg` });
      const words = entries.flatMap(([name, text]) => [`--${name}`, text]);
      const error = await assertRejects(() => rechunk(["plan", ...words], options, ending));
      const { lines, status } = reportError(error);
      assertEquals([option, value, status, lines.length], [option, value, 2, 1]);
      assertMatch(lines[0]!.replace("sluice: error: ", ""), line);
    }
    assertEquals(namesIn(cwd), []);
  }));

/** A text of a picture as `svg_texts.py` finds it. */
interface SvgText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly size: number;
}

/** The texts of a picture by a parser of XML, with what they take at least of its area. */
async function textsOf(path: string) {
  const { success, stdout, stderr } = await new Deno.Command("python3", {
    args: [checkoutPath("tests/support/processes/svg_texts.py"), path],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { width, height, texts } = JSON.parse(new TextDecoder().decode(stdout));
  const boxes = (texts as SvgText[]).map(({ text, x, y, anchor, size }) => {
    const wide = 0.5 * size * text.length;
    const left = x - (anchor === "start" ? 0 : anchor === "middle" ? wide / 2 : wide);
    return { text, left, right: left + wide, top: y - 0.7 * size, bottom: y };
  });
  return { width: width as number, height: height as number, boxes };
}

const pictures: Readonly<Record<string, readonly string[]>> = {
  "four stages": era5.slice(2).concat("--stages", "4"),
  "one axis": "--shape 1000 --from 1 --to 100 --itemsize 8 --max-mem 1kB".split(" "),
  "no stages, one item": "--shape 1,1 --from 1,1 --to 1,1 --itemsize 1 --max-mem 1kB".split(" "),
  "four axes": ("--shape 8760,37,721,1440 --from 1,37,721,1440 --to 8760,1,20,20 " +
    "--itemsize 2 --max-mem 2GB").split(" "),
};

for (const [name, words] of someOf(Object.entries(pictures), 3)) {
  pythonTest(
    `a picture of ${name} is XML whose texts stand inside and apart`,
    () =>
      inFolder({}, async (cwd) => {
        const { status, err } = await sluice(["rechunk", "plan", ...words, "--svg", "a.svg"], {
          cwd,
        });
        assertEquals([status, err, namesIn(cwd)], [0, "", ["a.svg"]]);
        const { width, height, boxes } = await textsOf(`${cwd}/a.svg`);
        const plan = await planJson(["rechunk", "plan", ...words]);
        const rows = boxes.filter(({ text }) => /^(source|target|memory|store \d)$/.test(text));
        assertEquals(rows.length, 3 + 2 * plan.stages.length);
        for (const { operations } of plan.stages) {
          const pieces = `${operations.toLocaleString("en")} pieces written and read`;
          assert(boxes.some(({ text }) => text === pieces), pieces);
        }
        boxes.forEach((one, index) => {
          const { left, top, right, bottom } = one;
          assert(left >= 0 && top >= 0 && right <= width && bottom <= height, JSON.stringify(one));
          for (const two of boxes.slice(index + 1)) {
            const meet = left < two.right && two.left < right && top < two.bottom &&
              two.top < bottom;
            assert(!meet, `${one.text} and ${two.text} overlap`);
          }
        });
      }),
  );
}

Deno.test("a picture that cannot be written is one line, with status 1", () =>
  inFolder({ "there": "a file" }, async (cwd) => {
    const words = ["rechunk", "plan", ...pictures["one axis"]!, "--svg", "there/x.svg"];
    const { status, out, err } = await sluice(words, { cwd });
    assertEquals([status, out], [1, ""]);
    assertMatch(err, /^sluice: error: there\/x\.svg: [^\n]+\n$/);
  }));

Deno.test("help tells about rechunk, and lists it", async () => {
  const { out } = await sluice(["help", "rechunk"]);
  const shared = ["--to", "--max-mem", "--min-mem", "--stages"];
  for (const option of [...shared, "--json", "--svg", "--temp", "--resume", "--explain"]) {
    assertStringIncludes(out, `\n  ${option} `);
  }
  assertEquals((await sluice(["rechunk", "plan", "--help"])).out, out);
  assertMatch((await sluice(["help"])).out, /^ {2}rechunk +Changes/m);
});
