/** @module */

import type { DataType, Field } from "apache-arrow";
import type { BatchStream, RunStats } from "../../mod.ts";
import { displayWidth } from "../display_width.ts";
import { expectArgs } from "../expect_args.ts";
import type { Session } from "../session.ts";
import { showControls } from "../../streams/show_controls.ts";
import { print } from "../print.ts";
import type { SinkStep, Verb } from "../verb.ts";
import { describeOffsets, hasText, wideTextRule } from "../wide_text.ts";

/** `schema` */
export const schema: Verb = {
  name: "schema",
  usage: "[--batches]",
  summary: "Prints the names and types of the columns",
  details:
    `A column that has another type in the source shows that one too: inside, all text is utf8. Text
that holds JSON, as objects of NDJSON do, is utf8 (json), and is written to NDJSON as what it holds.
The last line tells when the offsets of text have 64 bits, which is large_utf8 in Arrow. No rows are
read.

  --batches  reads all rows, and tells in how many batches text had 64-bit offsets, by columns

  sluice read flights.parquet then schema
  sluice read pages.arrow then with 'page = head + body' then schema --batches`,
  options: { flags: ["batches"] },
  parse({ args, flag }): SinkStep {
    expectArgs(args, "schema", 0);
    return {
      role: "sink",
      last: "schema has printed",
      open: (session) => async (stream) => {
        const { fieldTypeName, typeName } = await import("../type_name.ts");
        const { fields } = await stream.schema();
        const notes = await sourceNotes(stream, fields, typeName);
        const run = flag("batches") ? await readAll(stream, session) : undefined;
        const rows = fields.map((field, index) => [
          showControls(field.name),
          fieldTypeName(field) + (field.nullable ? "" : " not null"),
          [notes[index], run && hasText(field.type) ? describeOffsets(field.name, run) : ""]
            .filter((note) => note).join("  "),
        ]);
        print(formatColumns(rows));
        const { offsets } = session.engine;
        if (fields.some(({ type }) => hasText(type))) {
          print(`\nOffsets: ${wideTextRule(offsets)}\n`);
        }
        return undefined;
      },
    };
  },
};

/** For each column its type in the source, where that is another one; "" where it is not. */
async function sourceNotes(
  stream: BatchStream,
  fields: readonly Field[],
  typeName: (type: DataType) => string,
): Promise<string[]> {
  const own = (await stream.sourceSchema())?.fields ?? [];
  return fields.map(({ name, type }) => {
    const source = own.find((field) => field.name === name);
    const isOther = source !== undefined && typeName(source.type) !== typeName(type);
    return isOther ? `(${typeName(source.type)} in the source)` : "";
  });
}

async function readAll(stream: BatchStream, { runs }: Session): Promise<RunStats> {
  // Runs of what joins read come after it.
  const own = runs.length;
  for await (const _ of stream);
  return runs[own]!;
}

/** Lines of columns that are aligned, but for the last. */
function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1].map((index) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[index]!)))
  );
  const lines = rows.map((row) =>
    row.map((cell, index) =>
      cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)))
    )
      .join("  ").trimEnd()
  );
  return lines.map((line) => `${line}\n`).join("");
}
