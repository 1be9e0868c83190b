/**
 * Verbs that keep some rows: filter, slice, head, tail, at.
 *
 * @module
 */

import { CommandError, expectArgs } from "../arguments.ts";
import { parseInteger } from "../quantities.ts";
import type { Step, Verb } from "../verb.ts";
import type { Batch } from "../../mod.ts";

export const filter: Verb = {
  name: "filter",
  usage: "EXPR",
  summary: "Keeps the rows where an expression is true",
  details: `Rows where it is false or null are dropped.

  sluice read flights.parquet then filter 'delay > 60 && origin.startsWith("S")'`,
  parse({ args }): Step {
    expectArgs(args, `filter '${this.usage}'`, 1);
    const text = args[0]!;
    return {
      role: "transform",
      apply: (stream, { sluice, parse, pipe }) => pipe(stream, sluice.filter(parse(text))),
    };
  },
};

export const slice: Verb = {
  name: "slice",
  usage: "START:STOP[:STEP]",
  summary: "Keeps a range of rows, by Python's rules",
  details:
    `Rows count from 0; STOP is not part of the range; negative positions count from the end. Each part
may be left out. A slice from the start stops reading as soon as it has its rows.

  sluice read flights.parquet then slice -1000:
  sluice read flights.parquet then slice 10:20`,
  parse({ args }): Step {
    expectArgs(args, `slice ${this.usage}`, 1);
    const [start, stop, step] = parseRange(args[0]!);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.slice(start, stop, step)),
    };
  },
};

function parseRange(text: string): (number | undefined)[] {
  const parts = text.split(":");
  if (parts.length < 2 || parts.length > 3) {
    throw new CommandError(`Write START:STOP or START:STOP:STEP, not ${JSON.stringify(text)}`);
  }
  const names = ["START", "STOP", "STEP"];
  return parts.map((part, i) => part === "" ? undefined : parseInteger(part, names[i]!));
}

export const head: Verb = {
  name: "head",
  usage: "N",
  summary: "Keeps the first N rows, and reads no more than it needs",
  details: `  sluice read flights.parquet then head 10`,
  parse({ args }): Step {
    expectArgs(args, `head ${this.usage}`, 1);
    const count = parseInteger(args[0]!, "head", 0);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.head(count)),
    };
  },
};

export const tail: Verb = {
  name: "tail",
  usage: "N",
  summary: "Keeps the last N rows",
  details: `  sluice read flights.parquet then tail 10`,
  parse({ args }): Step {
    expectArgs(args, `tail ${this.usage}`, 1);
    const count = parseInteger(args[0]!, "tail", 0);
    return {
      role: "transform",
      apply: (stream, { sluice, pipe }) => pipe(stream, sluice.tail(count)),
    };
  },
};

export const at: Verb = {
  name: "at",
  usage: "I",
  summary: "Keeps one row; a position that does not exist is an error",
  details: `Rows count from 0, negative positions from the end.

  sluice read flights.parquet then at -1`,
  parse({ args }): Step {
    expectArgs(args, `at ${this.usage}`, 1);
    const index = parseInteger(args[0]!, "at");
    return {
      role: "transform",
      apply(stream, { sluice, pipe }) {
        const oneRow = sluice.defineOperator<{ index: number }>({
          name: "at",
          rows: "any",
          schema: (input) => input,
          open: ({ index }) => expectRow(index),
        });
        const row = sluice.slice(index, index === -1 ? undefined : index + 1);
        return pipe(pipe(stream, row), oneRow({ index }));
      },
    };
  },
};

/** Passes batches on, and fails at the end if there was no row. */
function expectRow(index: number): Transformer<Batch, Batch> {
  let numRows = 0;
  return {
    transform(batch, controller) {
      numRows += batch.numRows;
      controller.enqueue(batch);
    },
    flush() {
      if (numRows === 0) throw new RangeError(`There is no row ${index}`);
    },
  };
}
