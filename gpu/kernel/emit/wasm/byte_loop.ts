/**
 * What loops over bytes of a column have in common: code of one byte, in terms of that byte.
 *
 * @module
 */

import type { Scalar } from "../../ir/ir.ts";
import { sameScalar } from "../../ir/scalar.ts";
import { childrenOf, mapChildren, someScalar } from "../../ir/visit.ts";

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
  for (const part of childrenOf(scalar)) {
    const byte = byteIn(part);
    if (byte !== null) return byte;
  }
  return null;
}

/** A scalar in which `LOOP_BYTE` stands for a byte. */
export function withoutByte(scalar: Scalar, byte: ByteScalar): Scalar {
  if (sameScalar(scalar, byte)) return { op: "local", type: "i32", name: LOOP_BYTE };
  return mapChildren(scalar, (part) => withoutByte(part, byte));
}

/** Whether a scalar reads a local. */
export function reads(scalar: Scalar, name: string): boolean {
  return someScalar(scalar, (part) => isLocal(part, name));
}

/** A scalar with values for locals. */
export function replaced(scalar: Scalar, valueOf: (local: string) => Scalar | undefined): Scalar {
  if (scalar.op === "local") return valueOf(scalar.name) ?? scalar;
  return mapChildren(scalar, (part) => replaced(part, valueOf));
}
