import { assert, assertEquals, assertThrows } from "@std/assert";
import { drawCharts } from "../../../bench/charts/draw.ts";
import { speedParts } from "../../../bench/charts/speed_parts.ts";
import type { Growth } from "../../../bench/growth.ts";
import { replaceParts } from "../../../bench/support/marked_parts.ts";
import type { ContestResult, Results } from "../../../bench/support/results.ts";
import { pythonTest } from "../../support/judges/python.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

/** What Python's parser of XML finds in a picture. */
interface Picture {
  readonly texts: readonly string[];
  /** Left edges of circles, the symbols of ours: that of the legend first. */
  readonly circles: readonly number[];
  readonly background: string;
}

pythonTest(
  "charts are XML with a symbol for each contender and the ratio to the faster peer",
  async () => {
    const files = await drawCharts(results([
      contest({ operation: "name.upper()", text: "ascii" }, { ours: 10, duckDb: 20, polars: 40 }),
      contest({ operation: "name.upper()", text: "real" }, { ours: 30, duckDb: 40, polars: 20 }),
      contest({ operation: 'a < "&"', text: "real" }, { ours: 5, duckDb: 200, polars: 90 }),
    ]));
    assertEquals(Object.keys(files), ["strings-light.svg", "strings-dark.svg", "strings.md"]);
    const { texts, circles, background } = await lookAt(files["strings-light.svg"]!);
    assertEquals(texts.filter((text) => text.endsWith("×")).sort(), ["0.67×", "18.0×", "2.00×"]);
    for (const shown of ["ASCII names", "real names", 'a < "&"', "Sluice", "DuckDB", "Polars"]) {
      assert(texts.includes(shown), `${shown} is not among ${texts}`);
    }
    assert(!texts.includes("documents"), "a kind of text that was not measured has no column");
    assertEquals(circles.length, 1 + 3);
    assertEquals(
      circles.slice(1).toSorted((a, b) => a - b).indexOf(circles[3]!),
      2,
      "5 ms is right",
    );
    assert(background !== (await lookAt(files["strings-dark.svg"]!)).background);
  },
);

pythonTest("the chart of rows has a point for each number of rows", async () => {
  const operation = "name.upper()";
  const files = await drawCharts(results(
    [1000, 10_000, 1_000_000].map((numRows) => ({
      ...contest({ subject: "rows", operation }, { ours: numRows / 1e4, duckDb: 9, polars: 8 }),
      numRows,
    })),
  ));
  assertEquals(Object.keys(files), ["rows-light.svg", "rows-dark.svg"]);
  const { texts, circles } = await lookAt(files["rows-dark.svg"]!);
  assert(texts.includes(operation) && texts.includes("10k"), `${texts}`);
  assertEquals(circles.length, 1 + 3);
});

Deno.test("the table has times of ours and ratios to the faster peer, and gaps", async () => {
  const files = await drawCharts(results([
    contest({ operation: "name.upper()", text: "ascii" }, { ours: 10, duckDb: 20, polars: 40 }),
    contest({ operation: "name.lower()", text: "real" }, { ours: 30, duckDb: 40, polars: 20 }),
  ]));
  const cells = files["strings.md"]!.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()).slice(1, -1));
  assertEquals(cells, [
    ["`name.upper()`", "10.0 ms, 2.00x", ""],
    ["`name.lower()`", "", "30.0 ms, 0.67x"],
  ]);
});

pythonTest("the chart of processes has times, processors and memory of everyone", async () => {
  const labels = { subject: "processes", operation: "flights", format: "parquet" };
  const one = contest(labels, { ours: 900, duckDb: 1200, polars: 3000 });
  const contenders = one.contenders.map((contender) => ({
    ...contender,
    processorMs: 2 * contender.medianMs,
    peakBytes: 123e6,
  }));
  const files = await drawCharts(results([{ ...one, contenders }]));
  assertEquals(Object.keys(files), ["processes-light.svg", "processes-dark.svg"]);
  const { texts } = await lookAt(files["processes-dark.svg"]!);
  for (const seconds of ["0.90 s · processors 1.80", "1.20 s · processors 2.40", "3.00 s"]) {
    assert(texts.some((text) => text.startsWith(seconds) && text.endsWith("123 MB")), `${texts}`);
  }
  assert(texts.includes("A process: flights, to Parquet, snappy"), `${texts}`);
});

pythonTest("the chart of stages has each stage with its time, and the whole", async () => {
  const names = ["Deno starts", "1. read", "2. join", "1. read"];
  const stages = names.map((name, index) => ({ name, elapsedMs: 100 * (index + 1) }));
  const staged = [{ title: "flights", stages, processorMs: 1234 }];
  const files = await drawCharts({ ...results([]), stages: staged });
  const { texts } = await lookAt(files["stages-light.svg"]!);
  assertEquals(texts.filter((text) => names.includes(text)), names);
  for (const shown of ["100", "200", "300", "400", "1000", "whole; processors 1234"]) {
    assert(texts.includes(shown), `${shown} is not among ${texts}`);
  }
});

pythonTest("the chart of growth marks what is not linear or not flat", async () => {
  const files = await drawCharts({ ...results([]), growth: growths });
  const { texts, circles } = await lookAt(files["growth-light.svg"]!);
  for (const name of Object.keys(growths)) assert(texts.includes(name), `${texts}`);
  // Of the first one time, tenfold, and memory at two numbers of rows; of the second not the memory.
  assertEquals(circles.length, 1 + 4 + 2, `${circles}`);
});

const partNames = ["machine", "strings", "jobs", "growth"];

Deno.test("parts of docs/speed.md say what was measured, missed or not", () => {
  const joined = contest({ subject: "", text: "" }, { ours: 50, duckDb: 100, polars: 40 });
  const target = { against: "DuckDB 1.5", factor: 1.3, ratio: 2, reached: true };
  const strings = { operation: "name.upper()", text: "real" };
  const contests = [
    contest(strings, { ours: 10, duckDb: 20, polars: 40 }),
    { ...joined, targets: [target] },
  ];
  const parts = speedParts({ ...results(contests), growth: growths });
  assertEquals(Object.keys(parts), partNames);
  assert(parts["machine"]!.includes("9 runs. Sluice 0123abc, Deno 2.9.6; DuckDB 1.5; Polars 0.54"));
  assert(/real names +\| +1,000 +\| +2.00x +\| +2.00x/.test(parts["strings"]!), parts["strings"]);
  const row = parts["jobs"]!.split("\n")[2]!.split("|").map((cell) => cell.trim()).slice(2, -1);
  assertEquals(row, ["50.0 ms", "100 ms, 2.00x", "40.0 ms, 0.80x", "1.3x DuckDB: reached"]);
  assertEquals(
    parts["growth"],
    "For ten times the rows, up to 10,000,000, 1 of 2 pipelines take at most 13 times the processor " +
      "time and at most 1.5 times the memory. The others are: hoard (10.0x time, 9.00x memory).",
  );
});

Deno.test("parts of a page are replaced between their marks, and a missing one is an error", () => {
  const page = "a\n\n<!-- bench x -->\n\nold\n\n<!-- end bench -->\n\nb";
  const replaced = replaceParts(page, { x: "new" });
  assertEquals(replaced, page.replace("old", "new"));
  assertEquals(replaceParts(replaced, { x: "new" }), replaced);
  assertThrows(() => replaceParts(page, { y: "" }), Error, "<!-- bench y -->");
});

const page = await Deno.readTextFile(checkoutPath("docs/speed.md"));

Deno.test("docs/speed.md has the parts that publish writes of docs/bench/results.json", async () => {
  replaceParts(page, Object.fromEntries(partNames.map((name) => [name, ""])));
  const published = JSON.parse(await Deno.readTextFile(checkoutPath("docs/bench/results.json")));
  const parts = speedParts(published);
  assert(["machine", "strings", "jobs"].every((name) => name in parts), Object.keys(parts).join());
  assertEquals(asWords(replaceParts(page, parts)), asWords(page));
});

Deno.test("README states no speed that docs/speed.md does not state", async () => {
  const readme = await Deno.readTextFile(checkoutPath("README.md"));
  const [section] = /^## How fast$[^]*?(?=^## )/m.exec(readme) ?? [""];
  const figures = [...section.matchAll(/\b\d[\d.,]*(?:x| ms| s)(?!\w)/g)].map(([figure]) => figure);
  assert(figures.length >= 5, figures.join());
  assertEquals(figures.filter((figure) => !asWords(page).includes(` ${figure}`)), []);
  const [machine] = /Sluice [0-9a-f]{12}/.exec(page)!;
  assert(section.includes(machine), `README does not name ${machine}`);
});

/** A page without the breaks of its lines and the widths of its tables. */
function asWords(text: string): string {
  return text.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ");
}

Deno.test("results without contests have no charts", async () => {
  assertEquals(await drawCharts(results([])), {});
  assertEquals(speedParts(results([])), {});
});

/** One pipeline that streams, and one that keeps its rows. */
const growths: Readonly<Record<string, Growth>> = {
  filter: growth(1, false),
  hoard: growth(9, true),
};

function growth(memoryGrowth: number, isMissed: boolean): Growth {
  const points = [1e6, 1e7].map((numRows, index) => ({
    ...{ numRows, numRowsOut: numRows, elapsedMs: numRows / 1e5, processorMs: numRows / 1e5 },
    peakBytes: index === 0 ? 1e8 : memoryGrowth * 1e8,
  }));
  return { family: "rows", points, nsOfRow: 10, tenfold: 10, memoryGrowth, isMissed };
}

function contest(
  labels: Readonly<Record<string, string>>,
  { ours, duckDb, polars }: Readonly<Record<"ours" | "duckDb" | "polars", number>>,
): ContestResult {
  const contender = (name: string, role: string, medianMs: number) => ({
    name,
    role,
    device: "host",
    medianMs,
    quartilesMs: [0.9 * medianMs, 1.1 * medianMs] as const,
    runs: 9,
  });
  return {
    date: "2026-01-02T03:04:05Z",
    labels: { subject: "strings", ...labels },
    numRows: 1000,
    numBytes: 1e6,
    rounds: 3,
    contenders: [
      contender("Sluice", "ours", ours),
      contender("DuckDB 1.5", "peer", duckDb),
      contender("Polars 0.54", "peer", polars),
    ],
    targets: [],
  };
}

function results(contests: readonly ContestResult[]): Results {
  return {
    machine: { cpu: "a processor", cores: 2, memory: 8, system: "linux" },
    versions: { sluice: "0.1.0", commit: "0123abc", deno: "2.9.6", v8: "15" },
    contests: Object.fromEntries(contests.map((contest, index) => [`${index}`, contest])),
    tables: {},
  };
}

async function lookAt(svg: string): Promise<Picture> {
  const child = new Deno.Command("python3", {
    args: ["-c", PROGRAM],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(svg));
  await writer.close();
  const { success, stdout } = await output;
  assert(success, "Python cannot parse the picture");
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Left edges of circles are those of their own place and of the groups that move them. */
const PROGRAM = `
import json, re, sys
import xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
texts, circles = [], []
def walk(node, left):
    move = re.match(r"translate\\(([-0-9.]+)", node.get("transform", ""))
    left += float(move.group(1)) if move else 0
    tag = node.tag.split("}")[-1]
    if tag == "text": texts.append("".join(node.itertext()))
    if tag == "circle": circles.append(left + float(node.get("cx")))
    for child in node: walk(child, left)
walk(root, 0)
print(json.dumps({"texts": texts, "circles": circles, "background": root.get("style", "")}))
`;
