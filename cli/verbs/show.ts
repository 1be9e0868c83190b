/**
 * The verbs that print: show, count, schema, explain.
 *
 * @module
 */

import type { DataType, Field } from "apache-arrow";
import { CommandError } from "../../base/errors/command_error.ts";
import { expectArgs } from "../words/arguments.ts";
import { library } from "../library/library.ts";
import { displayWidth, print, terminalColumns } from "../print/terminal.ts";
import { describeOffsets, hasText, wideTextRule } from "../print/quantities.ts";
import type { Session } from "../session/session.ts";
import type { PrintStep, Verb } from "../session/verb.ts";
import type { BatchStream, RunStats } from "../../mod.ts";
import { showControls } from "../../base/show_controls.ts";
import { countIn } from "./rows.ts";

export const show: Verb = {
  name: "show",
  usage: "[N]",
  summary: "Prints the first N rows (10 by default) as a table",
  details:
    `On a terminal, long texts are cut to fit its width; numbers and times are shown whole, and columns
that do not fit are left out and counted. A long list or binary value, such as a chunk of an array,
is shown by its first part and its number of values or bytes.

  sluice read flights.parquet then show 3`,
  wantsFewRows: true,
  parse({ args }): PrintStep {
    return showStep(args.length === 0 ? 10 : countIn(args, "show", this.usage));
  },
};

/** Returns the step that prints rows. */
export function showStep(count: number): PrintStep {
  return {
    role: "sink",
    last: "show has read the rows",
    open: ({ pipe }) => async (stream) => {
      const { formatTable, head, toTable } = await import("../print/shown_rows.ts");
      const total = await stream.numRows();
      // One row beyond those shown tells whether there are more.
      const table = await toTable(pipe(stream, head(count + 1)));
      print(formatTable(table, { count, total, width: terminalColumns(Deno.stdout) }));
    },
  };
}

export const count: Verb = {
  name: "count",
  usage: "",
  summary: "Prints the number of rows",
  details:
    `If the metadata of the files has the count, no rows are read; otherwise only the columns that a
filter or a join needs are read and computed.

  sluice read flights.parquet then filter 'delay > 60' then count`,
  wantsFewRows: true,
  parse({ args }): PrintStep {
    expectArgs(args, "count", 0);
    return {
      role: "sink",
      last: "count has read the rows",
      open: () => async (stream) => {
        const countRows = await library.countRows();
        print(`${await countRows(stream)}\n`);
      },
    };
  },
};

export const schema: Verb = {
  name: "schema",
  usage: "[--batches]",
  summary: "Prints the names and types of the columns",
  details: `A type that differs in the source is shown too: internally, all text is utf8. Text that
holds JSON, such as objects of NDJSON, is utf8 (json), and is written to NDJSON as JSON. The last
line says when text gets 64-bit offsets (large_utf8 in Arrow). No rows are read.

  --batches  reads all rows, and shows the number of batches in which each column had 64-bit offsets

  sluice read flights.parquet then schema
  sluice read pages.arrow then with 'page = head + body' then schema --batches`,
  options: { flags: ["batches"] },
  wantsFewRows: true,
  parse({ args, flag }): PrintStep {
    expectArgs(args, "schema", 0);
    return {
      role: "sink",
      last: "schema has printed",
      open: (session) => async (stream) => {
        const { fieldTypeName, typeName } = await import("../library/values.ts");
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
      },
    };
  },
};

/** Returns a note on each column: its type in the source if that differs, else "". */
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
  // Later runs are build sides of joins.
  const own = runs.length;
  for await (const _ of stream);
  return runs[own]!;
}

/** Formats rows as lines with aligned columns. */
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

export const explain: Verb = {
  name: "explain",
  usage: "[--code [--ascii]]",
  summary: "Prints the plan: the steps after rewriting, the kernels, and why they are separate",
  details:
    `--code   the code of each kernel too: row functions, IR, WebAssembly and JavaScript, WGSL
--ascii  with --code: the variant for batches whose text is all ASCII

  sluice read flights.parquet then with 'o = origin.lower() + "!"' then explain
  sluice read flights.parquet then with 'o = origin.lower()' then explain --code`,
  options: { flags: ["code", "ascii"] },
  wantsFewRows: true,
  parse({ args, flag }): PrintStep {
    expectArgs(args, "explain", 0);
    const [code, ascii] = [flag("code"), flag("ascii")];
    if (ascii && !code) throw new CommandError("--ascii needs --code");
    return {
      role: "sink",
      last: "explain prints and reads no rows",
      runsNothing: true,
      open: () => async (stream, before) => {
        const explained = async (part: BatchStream) =>
          `${(await part.explain({ code, ascii })).trimEnd()}\n`;
        for (const { input, sink } of before) {
          print(`${await explained(input)}write ${sink.name}, which passes the rows on\n\n`);
        }
        print(await explained(stream));
      },
    };
  },
};
