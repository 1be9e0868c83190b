/** The limits that errors name: a value at the limit is taken, and the first beyond it is refused. */

import { assertRejects } from "@std/assert";
import { FixedSizeBinary, IntervalMonthDayNano, makeData } from "apache-arrow";
import { expr } from "../../mod.ts";
import { col, type Expr, lit } from "../../ops/expr/expr.ts";
import { checkStages, limitsOf } from "../../ops/rechunk/plan/limits.ts";
import { checkDepth } from "../../ops/syntax/depth.ts";
import { FileInput } from "../../streams/bytes/file_input.ts";
import { GrowingBytes } from "../../streams/bytes/growing_bytes.ts";
import { Redirects } from "../../streams/bytes/http/redirects.ts";
import { splitLines } from "../../streams/formats/ndjson/split_lines.ts";
import { parquetFormat } from "../../streams/formats/parquet/format.ts";
import { intervalsOfBytes } from "../../streams/formats/parquet/metadata/twelve_byte_values.ts";
import { readThrift, struct } from "../../streams/formats/parquet/metadata/thrift.ts";
import { checkSizes, codecsIn } from "../../streams/formats/zarr/metadata/array_spec.ts";
import { parseExactJson } from "../../streams/formats/zarr/metadata/exact_json.ts";
import { inFolder } from "../support/files/folder.ts";

interface Limit {
  readonly what: string;
  /** Uses the value; throws if that is too large. */
  readonly use: (value: number) => unknown;
  readonly most: number;
  /** Words of the error of the next value. */
  readonly refusal: string;
}

const ones = (count: number) => new Array<number>(count).fill(1);

const LIMITS: readonly Limit[] = [
  {
    what: "axes of a Zarr array",
    use: (count) => checkSizes(ones(count), ones(count), 1),
    most: 64,
    refusal: "it has 65 axes",
  },
  {
    what: "bytes of an item of a Zarr array",
    use: (bytes) => checkSizes([1], [1], bytes),
    most: 64 * 2 ** 20,
    refusal: "its items have 67108865 bytes; at most 64 MiB are supported",
  },
  {
    what: "bytes of a chunk of a Zarr array",
    use: (bytes) => checkSizes([1], [bytes], 1),
    most: 2 ** 32 - 1,
    refusal: "4294967296 bytes; at most 4 GiB can be read",
  },
  {
    what: "bytes of a Zarr array",
    use: (bytes) => checkSizes([bytes], [1], 1),
    most: Number.MAX_SAFE_INTEGER,
    refusal: "has too many bytes",
  },
  {
    what: "codecs of a Zarr array",
    use: (count) => codecsIn(ones(count).map(() => ({ name: "crc32c" }))),
    most: 64,
    refusal: "it has 65 codecs; at most 64 are supported",
  },
  {
    what: "levels of Zarr metadata",
    use: (depth) => parseExactJson("[".repeat(depth) + "]".repeat(depth)),
    most: 256,
    refusal: "is nested more than 256 levels deep",
  },
  {
    what: "levels of a Parquet footer",
    // A field of a struct in each struct, which is skipped.
    use: (depth) => readThrift(thriftOf(depth), struct({})),
    most: 64,
    refusal: "nested too deeply",
  },
  {
    what: "rows of a row group",
    use: (rowGroupRows) => parquetFormat.write!("", { rowGroupRows }),
    most: 2 ** 31 - 1,
    refusal: "The option rowGroupRows must be a whole number from 1 to 2147483647, not 2147483648",
  },
  {
    what: "bytes of a row group",
    use: (rowGroupBytes) => parquetFormat.write!("", { rowGroupBytes }),
    most: 2 ** 29,
    refusal: "The option rowGroupBytes must be a whole number from 1 to 536870912, not 536870913",
  },
  {
    what: "months of an interval of Parquet",
    use: (months) => intervalOf(months, 0),
    most: 2 ** 31 - 1,
    refusal: "value 0 is an interval of 2147483648 months, but Arrow holds at most 2147483647",
  },
  {
    what: "days of an interval of Parquet",
    use: (days) => intervalOf(0, days),
    most: 2 ** 31 - 1,
    refusal: "value 0 is an interval of 2147483648 days, but Arrow holds at most 2147483647",
  },
  {
    what: "bytes of a line",
    use: longestLine,
    most: 10,
    refusal: "too long",
  },
  { what: "redirects of a request", use: redirect, most: 20, refusal: "more than 20 times" },
  {
    what: "the count of a repetition in a pattern",
    use: (count) => expr(`text.containsRe(/a{${count}}/)`),
    most: 999,
    refusal: "a repetition may have a count of up to 999, not 1000",
  },
  {
    what: "the depth of an expression",
    use: (depth) => {
      let built: Expr = col("a");
      for (let at = 1; at < depth; at++) built = built.add(lit(1));
      checkDepth(built.node);
    },
    most: 500,
    refusal: "500",
  },
  { what: "stages of a plan", use: checkStages, most: 16, refusal: "a plan has at most 16" },
  {
    what: "the least memory of a plan",
    use: (minMem) => limitsOf({ ...PLAN, minMem, maxMem: 6400 }),
    most: 6400,
    refusal: "exceeds maxMem",
  },
  {
    what: "the chunk of a plan",
    use: (length) => limitsOf({ ...PLAN, target: [length, 1], maxMem: 6400 }),
    most: 800,
    refusal: "one chunk of the target has",
  },
];

const PLAN = { shape: [1000, 1000], source: [1, 100], target: [100, 1], itemsize: 8 };

function thriftOf(depth: number): Uint8Array {
  // Each struct but the innermost has field 1, of type 12; each ends with 0.
  return Uint8Array.of(...ones(depth - 1).fill(0x1c), ...ones(depth).fill(0));
}

function intervalOf(months: number, days: number): void {
  const data = new Uint8Array(Uint32Array.of(months, days, 0).buffer);
  const type = new FixedSizeBinary(12);
  const stored = makeData({ type, length: 1, nullCount: 0, data });
  intervalsOfBytes(stored, new IntervalMonthDayNano(), (row) => `value ${row}`);
}

function longestLine(bytes: number): Promise<void> {
  return inFolder({ "in.ndjson": `${"x".repeat(bytes)}\nx\n` }, async (folder) => {
    using input = await FileInput.open(`${folder}/in.ndjson`, { chunkBytes: 4 });
    const tooLong = () => new Error("too long");
    const limits = { leastBytes: 1, mostBytes: 10, tooLong };
    for await (const lines of splitLines(input, new GrowingBytes(), limits)) void lines;
  });
}

function redirect(times: number): void {
  const redirects = new Redirects("http://127.0.0.1/0");
  for (let time = 1; time <= times; time++) {
    const answer = new Response(null, { status: 302, headers: { location: `/${time}` } });
    const problem = redirects.follow(answer)?.problem;
    if (problem !== undefined) throw new Error(problem);
  }
}

for (const { what, use, most, refusal } of LIMITS) {
  Deno.test(`${what}: ${most} is taken, and ${most + 1} is refused`, async () => {
    await use(most);
    await assertRejects(async () => void await use(most + 1), Error, refusal);
  });
}
