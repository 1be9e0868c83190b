import { assertEquals } from "@std/assert";
import { byteWidth, columnBytes, type HostColumn } from "../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../gpu/host/host_kernels.ts";
import { sideRandom } from "../random/seeded_random.ts";
import { NUM_PLACES, surround } from "../values/surround.ts";

/** Rows and bytes up to which a program runs at all places; over more of them it runs at two. */
const FEW_ROWS = 16;
const FEW_BYTES = 4096;

/**
 * The columns of `evaluateOnHost`, and once more with other bytes around the rows, at every place where
 * a buffer may begin, as JavaScript and as WebAssembly: throws where a row then comes out as another
 * one, or where only one of the runs fails.
 */
export function evaluateAround(
  ...[program, inputs, numRows, cache, limits]: Parameters<typeof evaluateOnHost>
): HostColumn[] {
  const random = sideRandom();
  const outcome = outcomeOf(() => evaluateOnHost(program, inputs, numRows, cache, limits).columns);
  const others = [new HostKernels(), new HostKernels({ minWasmRows: 1 })];
  const start = random.below(NUM_PLACES);
  const numBytes = inputs.reduce((sum, column) => sum + columnBytes(column), 0);
  const places = numRows > FEW_ROWS || numBytes > FEW_BYTES
    ? [start, (start + 7) % NUM_PLACES]
    : Array.from({ length: NUM_PLACES }, (_, place) => place);
  for (const place of places) {
    const columns = inputs.map((column, index) =>
      surround(column, { random, place: (place + 5 * index) % NUM_PLACES })
    );
    const kernels = others[place % 2]!;
    const other = outcomeOf(() =>
      evaluateOnHost(program, columns, numRows, kernels, limits).columns
    );
    assertEquals(other.error?.message, outcome.error?.message, `at place ${place}`);
    outcome.columns.forEach((column, index) => {
      const row = firstDifference(column, other.columns[index]!);
      assertEquals(
        row,
        null,
        `output ${index}, row ${row}, with bytes around it at place ${place}`,
      );
    });
  }
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.columns;
}

/** The result of a run: columns, or an error. */
interface Outcome {
  readonly columns: HostColumn[];
  readonly error?: Error;
}

function outcomeOf(run: () => HostColumn[]): Outcome {
  try {
    return { columns: run() };
  } catch (error) {
    return { columns: [], error: error as Error };
  }
}

/** The first row that two columns do not have in common; null where they have the same rows. */
function firstDifference(left: HostColumn, right: HostColumn): number | null {
  for (let row = 0; row < Math.max(left.length, right.length); row++) {
    if (row >= left.length || row >= right.length) return row;
    if (!isSame(left, row, right, row)) return row;
  }
  return null;
}

function isSame(left: HostColumn, a: number, right: HostColumn, b: number): boolean {
  if (isValid(left, a) !== isValid(right, b)) return false;
  if (!isValid(left, a)) return true;
  const { kind } = left.type;
  if (kind === "bool") return isSet(left.data, a) === isSet(right.data, b);
  if (kind === "struct") {
    return left.children.every((child, field) => isSame(child, a, right.children[field]!, b));
  }
  const width = byteWidth(left.type);
  const [first, last] = [left.offsets?.[a] ?? width * a, left.offsets?.[a + 1] ?? width * (a + 1)];
  const [start, stop] = [
    right.offsets?.[b] ?? width * b,
    right.offsets?.[b + 1] ?? width * (b + 1),
  ];
  if (last - first !== stop - start) return false;
  const [items, others] = [left.children[0], right.children[0]];
  for (let i = 0; i < last - first; i++) {
    const isSameItem = items === undefined || others === undefined
      ? left.data[first + i] === right.data[start + i]
      : isSame(items, first + i, others, start + i);
    if (!isSameItem) return false;
  }
  return true;
}

function isValid({ validity }: HostColumn, row: number): boolean {
  return validity === null || isSet(validity, row);
}

function isSet(bytes: Uint8Array, row: number): boolean {
  return ((bytes[row >> 3]! >> (row & 7)) & 1) === 1;
}
