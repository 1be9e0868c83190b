/**
 * The value of a tree that reads no column.
 *
 * @module
 */

import type { ColumnType, HostColumn } from "../../gpu/column.ts";
import { evaluateOnHost, HostKernelCache } from "../../gpu/host/evaluate.ts";
import { cutIntoKernels } from "../../gpu/kernel/cut.ts";
import type { Tree } from "../../gpu/kernel/tree.ts";
import type { Literal } from "./node.ts";

/** Computes a tree of literals: one row of a program without inputs. */
export function evaluateLiteral(tree: Tree): Literal {
  const program = cutIntoKernels([], [{ label: "constant", tree }]);
  const [column] = evaluateOnHost(program, [], 1, new HostKernelCache());
  if (column === undefined) throw new Error("A program without outputs was compiled");
  return firstValue(column);
}

/** Row 0 of a column of a type that an expression can have. */
export function firstValue({ type, validity, data, offsets }: HostColumn): Literal {
  if (validity !== null && (validity[0]! & 1) === 0) return null;
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  switch (type.kind) {
    case "string":
      return new TextDecoder("utf-8", { ignoreBOM: true })
        .decode(data.subarray(offsets?.[0] ?? 0, offsets?.[1] ?? 0));
    case "bool":
      return (data[0]! & 1) === 1;
    case "int":
      return firstInteger(type, bytes);
    case "float":
      return type.bits === 32 ? bytes.getFloat32(0, true) : bytes.getFloat64(0, true);
    default:
      throw new TypeError(`A literal cannot be a ${type.kind}`);
  }
}

function firstInteger(type: ColumnType & { kind: "int" }, bytes: DataView): number | bigint {
  switch (type.bits) {
    case 8:
      return type.signed ? bytes.getInt8(0) : bytes.getUint8(0);
    case 16:
      return type.signed ? bytes.getInt16(0, true) : bytes.getUint16(0, true);
    case 32:
      return type.signed ? bytes.getInt32(0, true) : bytes.getUint32(0, true);
    case 64:
      return type.signed ? bytes.getBigInt64(0, true) : bytes.getBigUint64(0, true);
  }
}
