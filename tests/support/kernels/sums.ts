import { type ColumnType, sameType } from "../../../gpu/column/column.ts";
import { numeric } from "../../../gpu/kernel/fold/numeric.ts";
import type { RowFunction } from "../../../gpu/kernel/language/row_function.ts";
import { parseRowFunction } from "../../../gpu/kernel/parse/parse_row_function.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";

const { addOverflows, addOverflowsU } = numeric;

interface Given {
  readonly other: bigint;
  readonly overflows: typeof addOverflows;
}

/** Sums that are null where they do not fit. */
const SUMS: readonly (readonly [ColumnType, RowFunction])[] = [
  [{ kind: "int", bits: 32, signed: true }, narrow("i32")],
  [{ kind: "int", bits: 64, signed: true }, wide("i64", addOverflows)],
  [{ kind: "int", bits: 64, signed: false }, wide("u64", addOverflowsU)],
  [{ kind: "float", bits: 64 }, ofFloats()],
];

function narrow(type: "i32"): RowFunction {
  return parseRowFunction({
    ...{ name: "sum", kind: "measure", subject: type, args: { other: type } },
    row(a: number, { other }: { other: number }) {
      const sum = a + other;
      return ((a ^ sum) & (other ^ sum)) < 0 ? null : sum;
    },
  });
}

function wide(type: "i64" | "u64", overflows: typeof addOverflows): RowFunction {
  return parseRowFunction({
    ...{ name: "sum", kind: "measure", subject: type, args: { other: type }, returns: type },
    consts: { overflows },
    row: (a: bigint, { other, overflows }: Given) => overflows(a, other) ? null : a + other,
  });
}

function ofFloats(): RowFunction {
  return parseRowFunction({
    ...{ name: "sum", kind: "measure", subject: "f64", args: { other: "f64" }, returns: "f64" },
    row: (a: number, { other }: { other: number }) => a + other,
  });
}

/** The types that have sums. */
export const SUMMED: readonly ColumnType[] = SUMS.map(([type]) => type);

/** A sum of two numbers of a type in `SUMMED`. */
export function add(left: Tree, right: Tree): Tree {
  const [type, fn] = SUMS.find(([type]) => sameType(type, left.type))!;
  return { node: "call", fn, text: left, args: [right], type };
}
