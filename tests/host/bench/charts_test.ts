import { assert, assertEquals } from "@std/assert";
import { drawCharts } from "../../../bench/charts/draw.ts";
import type { ContestResult, Results } from "../../../bench/support/results.ts";
import { pythonTest } from "../../support/python.ts";

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

Deno.test("results without contests have no charts", async () => {
  assertEquals(await drawCharts(results([])), {});
});

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
