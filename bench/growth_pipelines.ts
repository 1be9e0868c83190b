/**
 * The pipelines of growth: one for each operator over a stream, each kind of join, and each format that is
 * written and read.
 *
 * @module
 */

import {
  type BatchStream,
  countRows,
  drop,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type JoinHow,
  joinStrings,
  read,
  rechunk,
  regroup,
  rename,
  select,
  slice,
  tail,
  withColumns,
  write,
} from "../mod.ts";
import { int32Column, numberedColumn, recordBatch } from "./support/columns.ts";
import { createStore } from "./support/rechunk_store.ts";

/** The input of a pipeline. */
interface GrowthInput {
  /** A stream of rows with `id`, which ascends, `price` and `name`. */
  readonly rows: BatchStream;
  readonly numRows: number;
  /** The folder for its files; other jobs over the same number of rows have theirs there too. */
  readonly folder: string;
}

/** A pipeline. */
export interface GrowthPipeline {
  /** Its family, by which results are grouped. */
  readonly family: "rows" | "slices" | "batches" | "joins" | "write" | "read";
  /** Whether it stops before the stream ends, so that its time does not grow. */
  readonly stops?: boolean;
  /** Writes the input of the pipeline, in another process. */
  prepare?(input: GrowthInput): Promise<void>;
  /** Returns a stream, whose rows are then counted, or the number of rows. */
  run(input: GrowthInput): BatchStream | Promise<number>;
}

type Pipe = (rows: BatchStream, numRows: number) => BatchStream | Promise<number>;

const ROWS_OF_BUILD_SIDE = 1000;
const formats = ["arrow", "parquet", "csv", "tsv", "ndjson"] as const;

function family(
  name: GrowthPipeline["family"],
  pipes: Readonly<Record<string, Pipe>>,
): Record<string, GrowthPipeline> {
  return Object.fromEntries(
    Object.entries(pipes).map(([title, pipe]) => [
      title,
      {
        family: name,
        ...(title.startsWith("head") ? { stops: true } : {}),
        run: ({ rows, numRows }: GrowthInput) => pipe(rows, numRows),
      },
    ]),
  );
}

/** The kinds of join whose result has about one row at most for each row of the stream. */
const kinds: readonly Exclude<JoinHow, "cross">[] = [
  ...["inner", "left", "right", "full", "semi", "anti", "right-semi", "right-anti"] as const,
];

/** The pipelines by their names. */
export const growthPipelines: Readonly<Record<string, GrowthPipeline>> = {
  ...family("rows", {
    "no operator": (rows) => rows,
    select: (rows) => rows.pipeThrough(select("name", "id")),
    drop: (rows) => rows.pipeThrough(drop("price")),
    rename: (rows) => rows.pipeThrough(rename({ name: "label" })),
    "with": (rows) => rows.pipeThrough(withColumns({ tag: expr('name.upper() + "!"') })),
    filter: (rows) => rows.pipeThrough(filter(expr("price > 500"))),
    "filter, count": (rows) => countRows(rows.pipeThrough(filter(expr('name.endsWith("7")')))),
  }),
  ...family("slices", {
    "head of 1,000": (rows) => rows.pipeThrough(head(1000)),
    "head of the half": (rows, numRows) => rows.pipeThrough(slice(0, Math.floor(numRows / 2))),
    "tail of 1,000": (rows) => rows.pipeThrough(tail(1000)),
    "slice, every third": (rows) => rows.pipeThrough(slice(0, undefined, 3)),
    "slice, all but ten": (rows) => rows.pipeThrough(slice(0, -10)),
  }),
  ...family("batches", {
    "regroup by rows": (rows) => rows.pipeThrough(regroup({ rows: 10_000 })),
    "regroup by bytes": (rows) => rows.pipeThrough(regroup({ bytes: 1 << 20 })),
    "regroup by values": (rows) => rows.pipeThrough(regroup({ by: "id", rows: 10_000 })),
    joinStrings: (rows) => rows.pipeThrough(joinStrings("name", { separator: " " })),
  }),
  rechunk: {
    family: "batches",
    prepare: ({ numRows, folder }) =>
      createStore(`${folder}/source.zarr`, {
        shape: [Math.ceil(numRows / 8000), 16, 500],
        chunk: [50, 16, 500],
      }, "raw"),
    async run({ numRows, folder }) {
      await read(`${folder}/source.zarr`)
        .pipeThrough(rechunk({ to: [200, 8, 50], maxMem: 32 << 20 }))
        .pipeTo(write(`${folder}/target.zarr`));
      return numRows;
    },
  },
  ...family("joins", {
    "join on text": (rows) => rows.pipeThrough(join(built(), { on: { name: "text" } })),
    ...Object.fromEntries(kinds.map((how): [string, Pipe] => [
      `join on a number, ${how}`,
      (rows) => rows.pipeThrough(join(built(), { on: { id: "key" }, how })),
    ])),
    "join of two rows, cross": (rows) => rows.pipeThrough(join(built(2), { how: "cross" })),
    "join as of": (rows) => rows.pipeThrough(join(built(), { asOf: { id: "key" } })),
    "join by a condition": (rows) =>
      rows.pipeThrough(join(built(), { where: "id >= right.key && id < right.key + 4" })),
  }),
  ...Object.fromEntries(formats.flatMap((format): [string, GrowthPipeline][] => [
    [`write ${format}`, {
      family: "write",
      async run({ rows, numRows, folder }) {
        await rows.pipeTo(write(`${folder}/rows.${format}`));
        return numRows;
      },
    }],
    // Reads the file that the previous job wrote.
    [`read ${format}`, { family: "read", run: ({ folder }) => read(`${folder}/rows.${format}`) }],
  ])),
};

/** Returns the build side of a join: every key is an id of a long stream, and every text is a name. */
function built(numRows: number = ROWS_OF_BUILD_SIDE): BatchStream {
  const keys = Int32Array.from({ length: numRows }, (_, row) => row);
  return fromBatches([
    recordBatch({ key: int32Column(keys), text: numberedColumn("name ", keys) }),
  ]);
}
