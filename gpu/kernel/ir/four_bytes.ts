/**
 * Four bytes of text as one word: a sum of bytes in the IR, which targets with such loads recognize.
 *
 * @module
 */

import type { Scalar, Space } from "./ir.ts";
import { binary, int, sameScalar } from "./scalar.ts";

/** A place of four bytes. */
interface FourBytes {
  readonly space: Space;
  /** The position of the lowest byte, which comes first. */
  readonly at: Scalar;
}

/** Returns the little-endian word of four bytes. */
export function fourBytes(byteOf: (at: Scalar) => Scalar, at: Scalar): Scalar {
  return [0, 1, 2, 3]
    .map((k) => binary("<<", byteOf(binary("+", at, int(k))), int(8 * k)))
    .reduce((low, high) => binary("|", low, high));
}

/** Returns the place of a word that `fourBytes` made; null for any other scalar. */
export function asFourBytes(scalar: Scalar): FourBytes | null {
  const bytes: Scalar[] = [];
  let rest = scalar;
  for (let k = 3; k > 0; k--) {
    if (rest.op !== "binary" || rest.fn !== "|") return null;
    const { left, right } = rest;
    if (right.op !== "binary" || right.fn !== "<<") return null;
    if (right.right.op !== "const" || right.right.value !== 8 * k) return null;
    bytes.unshift(right.left);
    rest = left;
  }
  if (rest.op !== "byte") return null;
  const { space, at } = rest;
  const areNext = bytes.every((byte, index) =>
    byte.op === "byte" && isSame(byte.space, space) &&
    sameScalar(byte.at, binary("+", at, int(index + 1)))
  );
  return areNext ? { space, at } : null;
}

function isSame(left: Space, right: Space): boolean {
  if (left.space === "literals" || right.space === "literals") return left.space === right.space;
  return left.column === right.column;
}
