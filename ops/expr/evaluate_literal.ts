/**
 * The value of a tree that reads no column.
 *
 * @module
 */

import type { ColumnType, HostColumn } from "../../gpu/column/column.ts";
import { evaluateOnHost } from "../../gpu/host/evaluate.ts";
import { HostKernelCache } from "../../gpu/host/kernel_cache.ts";
import { partitionIntoKernels } from "../../gpu/kernel/partition/partition.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import type { Literal } from "./node.ts";

/** Computes a tree of literals: one row of a program without inputs. */
export function evaluateLiteral(tree: Tree): Literal {
  // Errors name the operation, and not its literals, which may be long.
  const label = tree.node === "call" ? `${tree.fn.name}()` : "a constant";
  const program = partitionIntoKernels([], [{ label, tree }]);
  const { columns: [column] } = evaluateOnHost(program, [], 1, new HostKernelCache());
  if (column === undefined) throw new Error("A program without outputs was compiled");
  return firstValue(column);
}

/** Row 0 of a column of a type that an expression can have. */
export function firstValue(column: HostColumn): Literal {
  return valueAt(column, 0);
}

/** A row of a column of a type that an expression can have. */
export function valueAt({ type, validity, data, offsets }: HostColumn, row: number): Literal {
  if (validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0) return null;
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  switch (type.kind) {
    case "string":
      return new TextDecoder("utf-8", { ignoreBOM: true })
        .decode(data.subarray(offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0));
    case "bool":
      return ((data[row >> 3]! >> (row & 7)) & 1) === 1;
    case "int":
      return integerAt(type, bytes, row * type.bits / 8);
    case "float":
      return type.bits === 32 ? bytes.getFloat32(row * 4, true) : bytes.getFloat64(row * 8, true);
    default:
      throw new TypeError(`A literal cannot be a ${type.kind}`);
  }
}

function integerAt(
  type: ColumnType & { kind: "int" },
  bytes: DataView,
  at: number,
): number | bigint {
  switch (type.bits) {
    case 8:
      return type.signed ? bytes.getInt8(at) : bytes.getUint8(at);
    case 16:
      return type.signed ? bytes.getInt16(at, true) : bytes.getUint16(at, true);
    case 32:
      return type.signed ? bytes.getInt32(at, true) : bytes.getUint32(at, true);
    case 64:
      return type.signed ? bytes.getBigInt64(at, true) : bytes.getBigUint64(at, true);
  }
}
