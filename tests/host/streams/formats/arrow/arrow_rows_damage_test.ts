/** What errors of damaged Arrow data say where only some of its rows are read. */

import { assert, assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { Field, FixedSizeBinary } from "apache-arrow";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import { MissingRowError } from "../../../../../base/errors/step_error.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { withFooter } from "../../../../support/files/arrow_footers.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { randomType, typeKinds } from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { randomRequest } from "../../../../support/files/row_requests.ts";
import { problemOf } from "../../../../support/files/same_or_refused.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder } from "../../../../support/values/streams_samples.ts";

/** What an error says: where the data is wrong, or that it is something else, or has no such row. */
const says =
  /^(truncated or corrupt Arrow data (in message \d+ at byte \d+|at byte \d+): \S[^\n]*[^.]|is empty, not Arrow data|is not Arrow data|columns \d+ and \d+ have the same name.*|[^\n]*, which is not supported yet)$/s;

/** Reads a request and every value of its rows; true if there was an error, which is a fair one. */
async function isRefused(path: string, request: RowRequest): Promise<boolean> {
  try {
    for await (const { batch, runs } of readIpc(path).rows(request, {})) {
      const columns = batch.data.children.map(valuesOf);
      for (const { start, step, count } of runs ?? []) {
        const ends = [start, start + step * (count - 1)];
        assert(ends.every((row) => row >= 0 && row < batch.numRows), `rows ${ends}`);
        assert(columns.every(({ length }) => length === batch.numRows));
      }
    }
    return false;
  } catch (error) {
    if (error instanceof MissingRowError) return true;
    assertInstanceOf(error, FileError);
    assertMatch((error as FileError).message.slice(path.length + 2), says);
    assertEquals(problemOf(error), undefined, (error as FileError).message);
    return true;
  }
}

/** The same bytes, of which one or two are wrong: any of [start, stop). */
function damaged(
  random: SeededRandom,
  bytes: Uint8Array<ArrayBuffer>,
  start = 0,
  stop = bytes.length,
): Uint8Array<ArrayBuffer> {
  const wrong = bytes.slice();
  for (let flips = 1 + random.below(2); flips > 0; flips--) {
    const at = start + random.below(stop - start);
    wrong[at] = random.pick([wrong[at]! ^ (1 << random.below(8)), 0, 0x7f, 0xff]);
  }
  return wrong;
}

Deno.test("rows() refuses wrong bytes or reads something, and never fails in another way", () =>
  inFolder(async (folder) => {
    const path = `${folder}/wrong.arrow`;
    const draws = new Draws(["own", "foreign", "stream", "refused", "read"]);
    await forSeeds(15, async (random) => {
      const types = Array.from({ length: 3 }, () => randomType(random, typeKinds, 1));
      const fields = types.map((type, index) => new Field(`c${index}`, type, true));
      const lengths = [4, 0, 9, 1];
      // Batches of a file have the same dictionaries, so each is a part of one batch.
      const whole = batchOfColumns(
        fields,
        types.map((type) =>
          columnOfValues(random, type, Array.from({ length: 14 }, () => randomValue(random, type)))
        ),
      );
      let first = 0;
      const batches = lengths.map((length) => whole.slice(first, first += length));
      const format = random.pick(["own", "foreign", "stream"] as const);
      draws.add(format);
      const options = { format: format === "stream" ? "stream" : "file" } as const;
      const encoded = encodeArrow(whole.schema, batches, options);
      const bytes = format === "foreign" ? withFooter(encoded) : encoded;
      for (let round = 0; round < 30; round++) {
        await Deno.writeFile(path, damaged(random, bytes));
        const { request } = randomRequest(random, 14);
        draws.add(await isRefused(path, request) ? "refused" : "read");
      }
    }, draws);
  }));

Deno.test("rows that are read alone refuse wrong headers and footers, or are read", () =>
  inFolder(async (folder) => {
    const path = `${folder}/wrong.arrow`;
    const numRows = 6000;
    const draws = new Draws(["refused", "read"]);
    await forSeeds(3, async (random) => {
      const kinds = typeKinds.slice(0, typeKinds.indexOf("list"));
      const types = [new FixedSizeBinary(40), randomType(random, kinds, 0)];
      const fields = types.map((type, index) => new Field(`c${index}`, type, true));
      const columns = types.map((type) => {
        const some = Array.from({ length: 20 }, () => randomValue(random, type));
        return columnOfValues(
          random,
          type,
          Array.from({ length: numRows }, () => random.pick(some)),
        );
      });
      const batch = batchOfColumns(fields, columns);
      const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
      const { start, body, stop } = messagesIn(bytes)[1]!;
      for (let round = 0; round < 40; round++) {
        const isHeader = random.chance(0.6);
        const [from, to] = isHeader ? [start, body] : [stop, bytes.length];
        await Deno.writeFile(path, damaged(random, bytes, from, to));
        const row = random.below(numRows - 10);
        draws.add(await isRefused(path, [rowSlice(row, row + 10)]) ? "refused" : "read");
      }
    }, draws);
  }));
