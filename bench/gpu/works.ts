/**
 * The works whose kernels are timed, over columns on the device.
 *
 * @module
 */

import { type DataType, Utf8 } from "apache-arrow";
import type { Backend, ResultRows } from "../../gpu/backend.ts";
import { type Column, type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import { widthFor } from "../../gpu/webgpu/strategies/lanes.ts";
import { compileProgram } from "../../tests/support/kernels/programs.ts";
import { atMost, tableRequest } from "../../tests/support/joins/table_request.ts";
import {
  boolColumn,
  intColumn,
  kindsColumn,
  lettersColumn,
  namesColumn,
  randomInts,
  shuffledNumbers,
} from "./made_columns.ts";

/** The bytes that a work must read and write on the device. */
export interface WorkBytes {
  readonly read: number;
  readonly written: number;
  readonly numRows: number;
}

/** A work. */
export interface Work {
  readonly name: string;
  readonly numRows: number;
  /** The columns, which are on the device when it begins. */
  readonly columns: readonly HostColumn[];
  /** Runs it over those columns, or over their first rows. */
  run(backend: Backend, columns: readonly Column[]): AsyncIterable<ResultRows>;
  /** Returns the bytes that a kernel must move, for kernels that only this work has, by label. */
  readonly bytesOf?: Readonly<Record<string, (bytes: WorkBytes) => number>>;
  /** The bytes that the device reads besides the columns. */
  readonly otherBytes?: number;
}

/** A work before its columns are made; making them takes as long as many runs. */
export interface WorkPlan {
  readonly name: string;
  /** The wanted number of rows. */
  readonly numRows: number;
  /** The approximate bytes of device memory for a row, in all buffers together. */
  readonly rowBytes: number;
  /** The bytes of text in a row, if it is long. */
  readonly textBytes?: number;
  /** Whether one pass can write its text too: then both strategies are measured. */
  readonly hasOnePass?: boolean;
  /** Whether its rows are long enough for several lanes: then both strategies are measured. */
  readonly hasLanes?: boolean;
  make(numRows: number): Work;
}

const MILLION = 1_000_000;

/** The first letter of the last name and the first name, if the person is public. */
export const REDACTED = 'kind == "public" ' +
  '? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

const KEY_TYPE = { kind: "int", bits: 32, signed: true } as const;

/** The rows of a probe batch; more are never in flight together. */
const PROBE_ROWS = MILLION;

/** Returns the plans, the most important ones first. */
export function workPlans(): WorkPlan[] {
  const redact = [0.6, 10, 100].map((millions): WorkPlan => ({
    name: "redact",
    numRows: millions * MILLION,
    rowBytes: 60,
    hasOnePass: true,
    make: (numRows) => ({
      ...redactWork(numRows),
      bytesOf: { clear: textBytesOf },
    }),
  }));
  return [
    ...redact.slice(0, 2),
    upper,
    ...[8, 64, 512, 4096, 16_384, 65_536].map(contains),
    filter,
    gather,
    join(10 * MILLION, 100_000),
    redact[2]!,
    join(10 * MILLION, 10 * MILLION),
  ];
}

/** Returns the work of an expression over columns. */
export function expression(
  name: string,
  text: string,
  columns: Readonly<Record<string, HostColumn>>,
): Work {
  const names = Object.keys(columns);
  const types = names.map((name): [string, DataType] => [name, new Utf8()]);
  const { program, inputNames } = compileProgram([text], Object.fromEntries(types));
  const inputs = inputNames.map((name) => columns[name]!);
  return {
    name,
    numRows: inputs[0]!.length,
    columns: inputs,
    async *run(backend, columns) {
      yield await backend.evaluate(program, columns, columns[0]!.length);
    },
  };
}

/** Returns the bytes of the text, without its offsets. */
function textBytesOf({ written, numRows }: WorkBytes): number {
  return written - 4 * numRows;
}

const upper: WorkPlan = {
  name: "upper",
  numRows: 10 * MILLION,
  rowBytes: 40,
  make: (numRows) => ({
    ...expression("upper", "name.upper()", { name: namesColumn(numRows) }),
    bytesOf: {
      copy: ({ numRows }) => 8 * numRows,
      "name.upper()": (bytes) => 2 * textBytesOf(bytes),
    },
  }),
};

/** The bytes of searched text, whatever the size of a row. */
const SEARCHED_BYTES = 256e6;

function contains(rowBytes: number): WorkPlan {
  const name = `contains in rows of ${rowBytes.toLocaleString("en")} bytes`;
  return {
    name,
    numRows: Math.round(SEARCHED_BYTES / rowBytes),
    rowBytes: rowBytes + 10,
    textBytes: rowBytes,
    hasLanes: widthFor(rowBytes) > 1,
    make: (numRows) =>
      expression(name, 'text.contains("needle")', {
        text: lettersColumn(numRows, rowBytes, rowBytes),
      }),
  };
}

const filter: WorkPlan = {
  name: "filter",
  numRows: 10 * MILLION,
  rowBytes: 60,
  hasOnePass: true,
  make: (numRows) => ({
    name: "filter",
    numRows,
    columns: [
      boolColumn(numRows),
      intColumn(randomInts(numRows, numRows)),
      namesColumn(numRows),
    ],
    async *run(backend, [mask, ...columns]) {
      yield await backend.filter(columns, mask!, mask!.length);
    },
    // Half of the rows stay, and a kernel that gathers also reads their numbers.
    bytesOf: {
      "filter count_true": () => numRows / 8,
      "filter select_true": () => numRows / 8 + 4 * numRows / 2,
      "gather sizes": () => 16 * numRows / 2,
      "gather words": () => 12 * numRows / 2,
      "gather text": ({ written }) => 2 * (written - 4 * numRows / 2) + 4 * numRows / 2,
      "gather tiles": ({ written }) => 2 * (written - 4 * numRows / 2) + 8 * numRows / 2,
      clear: ({ written }) => written - 8 * numRows / 2,
    },
  }),
};

const gather: WorkPlan = {
  name: "gather of texts of 100 to 500 bytes",
  numRows: MILLION,
  rowBytes: 640,
  textBytes: 300,
  hasOnePass: true,
  make: (numRows) => {
    const order = shuffledNumbers(numRows);
    return {
      name: "gather of texts of 100 to 500 bytes",
      numRows,
      columns: [lettersColumn(numRows, 100, 500)],
      async *run(backend, columns) {
        const { length } = columns[0]!;
        const selection = length === numRows ? order : order.filter((row) => row < length);
        yield { columns: await backend.gather(columns, selection), numRows: length };
      },
      otherBytes: 4 * numRows,
      bytesOf: {
        "gather sizes": () => 16 * numRows,
        "gather text": ({ written }) => 2 * written + 4 * numRows,
        "gather tiles": ({ read, written }) => read + written,
        clear: textBytesOf,
      },
    };
  },
};

/** Returns the work of redact. */
export function redactWork(numRows: number): Work {
  return expression("redact", REDACTED, {
    name: namesColumn(numRows),
    kind: kindsColumn(numRows),
  });
}

/**
 * Returns the plan of a join of `numProbeRows` rows in batches of `batchRows`. Each row matches one of `numKeys`
 * keys, and the join adds a column of numbers from the build side.
 */
export function join(numProbeRows: number, numKeys: number, batchRows = PROBE_ROWS): WorkPlan {
  const ratio = numProbeRows / numKeys;
  const name = `join by int32, ${ratio} ${ratio === 1 ? "row" : "rows"} a key` +
    (batchRows === PROBE_ROWS ? "" : `, in batches of ${batchRows.toLocaleString("en")}`);
  return {
    name,
    numRows: numProbeRows,
    rowBytes: 40 * (1 + numKeys / numProbeRows),
    make(numRows) {
      const numBuilt = Math.ceil(numKeys * numRows / numProbeRows);
      const build = intColumn(shuffledNumbers(numBuilt));
      const probed = randomInts(numRows, numBuilt);
      // Probes come in batches, as they do in a stream.
      const columns: HostColumn[] = [];
      for (let start = 0; start < numRows; start += batchRows) {
        columns.push(intColumn(probed.subarray(start, start + batchRows)));
      }
      return {
        name,
        numRows,
        columns,
        async *run(backend, columns) {
          const table = await backend.buildTable(tableRequest(build, KEY_TYPE, [build]));
          try {
            for (const probe of columns) {
              yield* backend.probe(table, probe, [probe], probe.length, atMost(batchRows));
            }
          } finally {
            table.release();
          }
        },
        otherBytes: 8 * numBuilt,
        // A slot of the table has a key and a row number.
        bytesOf: {
          "join insert int": () => 12 * numBuilt,
          "join lay out_int": () => 16 * numBuilt,
          "join lookup": () => 16 * numRows,
          "join emit": () => 12 * numRows,
          "gather words": () => 12 * numRows,
        },
      };
    },
  };
}

/** Releases the columns of a result. */
export function releaseResult({ columns }: ResultRows): void {
  columns.forEach(releaseColumn);
}
