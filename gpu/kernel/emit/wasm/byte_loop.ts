/**
 * What loops over bytes of a column have in common: code of one byte, in terms of that byte.
 *
 * @module
 */

import type { Scalar } from "../../ir/ir.ts";
import { sameScalar } from "../../ir/scalar.ts";

/** Stands for the byte that is looked at. */
export const LOOP_BYTE = "$char";

/** A byte that a scalar reads. */
export type ByteScalar = Scalar & { readonly op: "byte" };

/** Whether a scalar is a local. */
export function isLocal(scalar: Scalar, name: string): boolean {
  return scalar.op === "local" && scalar.name === name;
}

/** The first byte that a scalar reads, where it reads one. */
export function byteIn(scalar: Scalar): ByteScalar | null {
  if (scalar.op === "byte") return scalar;
  for (const part of partsOf(scalar)) {
    const byte = byteIn(part);
    if (byte !== null) return byte;
  }
  return null;
}

/** A scalar in which `LOOP_BYTE` stands for a byte. */
export function withoutByte(scalar: Scalar, byte: ByteScalar): Scalar {
  if (sameScalar(scalar, byte)) return { op: "local", type: "i32", name: LOOP_BYTE };
  return mapped(scalar, (part) => withoutByte(part, byte));
}

/** Whether a scalar reads a local. */
export function reads(scalar: Scalar, name: string): boolean {
  return isLocal(scalar, name) || partsOf(scalar).some((part) => reads(part, name));
}

/** A scalar with values for locals. */
export function replaced(scalar: Scalar, valueOf: (local: string) => Scalar | undefined): Scalar {
  if (scalar.op === "local") return valueOf(scalar.name) ?? scalar;
  return mapped(scalar, (part) => replaced(part, valueOf));
}

/** A scalar with other parts. */
function mapped(scalar: Scalar, map: (part: Scalar) => Scalar): Scalar {
  switch (scalar.op) {
    case "unary":
      return { ...scalar, value: map(scalar.value) };
    case "binary":
      return { ...scalar, left: map(scalar.left), right: map(scalar.right) };
    case "select":
      return { ...scalar, test: map(scalar.test), yes: map(scalar.yes), no: map(scalar.no) };
    case "decimal":
      return { ...scalar, start: map(scalar.start), stop: map(scalar.stop) };
    case "byte":
    case "table":
    case "scratch":
    case "itemStart":
    case "itemValid":
      return { ...scalar, at: map(scalar.at) };
    default:
      return scalar;
  }
}

function partsOf(scalar: Scalar): readonly Scalar[] {
  switch (scalar.op) {
    case "unary":
      return [scalar.value];
    case "binary":
      return [scalar.left, scalar.right];
    case "byte":
    case "table":
    case "scratch":
    case "itemStart":
    case "itemValid":
      return [scalar.at];
    case "select":
      return [scalar.test, scalar.yes, scalar.no];
    case "decimal":
      return [scalar.start, scalar.stop];
    default:
      return [];
  }
}
