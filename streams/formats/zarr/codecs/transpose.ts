/**
 * The codec "transpose": the axes of a chunk in another order, such as Fortran's.
 *
 * @module
 */

import type { ArrayCodec, ArrayToArray, CodecPlace } from "./codec.ts";
import { shortJson } from "../metadata/short_json.ts";

export const transpose: ArrayToArray = {
  kind: "array->array",
  movesItems: true,
  make: (place, type) => ({ ...transposeCodec(place), encodedType: type }),
};

/** Reads `order`: a list of all axes, or "C" or "F" as early writers wrote it. */
function transposeCodec(
  { shape, itemBytes, configuration }: CodecPlace,
): Omit<ArrayCodec, "encodedType"> {
  const order = orderIn(configuration["order"], shape.length);
  const encodedShape = order.map((axis) => shape[axis]!);
  const back = order.map((_, axis) => order.indexOf(axis));
  return {
    encodedShape,
    encode: (items, into) => reorderAxes(items, shape, order, into, itemBytes),
    decode: (items, into) => reorderAxes(items, encodedShape, back, into, itemBytes),
  };
}

function orderIn(value: unknown, rank: number): number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  if (value === "C") return axes;
  if (value === "F") return axes.reverse();
  const isOrder = Array.isArray(value) && value.length === rank &&
    axes.every((axis) => value.includes(axis));
  if (!isOrder) throw new TypeError(`has the order ${shortJson(value)}`);
  return value;
}

/** An axis of the output; the last axis is dense there. */
interface Axis {
  readonly length: number;
  /** The distance in the input from one position to the next, in units. */
  readonly stride: number;
}

/** Writes items whose axes are `order` of `shape`, in the largest units to which all is aligned. */
function reorderAxes(
  items: Uint8Array,
  shape: readonly number[],
  order: readonly number[],
  into: Uint8Array,
  itemBytes: number,
): void {
  if (items.length === 0) return;
  const unitBytes =
    [8, 4, 2].find((size) =>
      itemBytes % size === 0 && items.byteOffset % size === 0 && into.byteOffset % size === 0
    ) ?? 1;
  const strides = stridesOf([...shape, itemBytes / unitBytes]);
  const axes = joined([
    ...order.map((axis) => ({ length: shape[axis]!, stride: strides[axis]! })),
    { length: itemBytes / unitBytes, stride: 1 },
  ]);
  copyAxes(unitsOf(items, unitBytes), unitsOf(into, unitBytes), axes);
}

/** Returns the strides of C order, in units. */
function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  }
  return strides;
}

/** Reduces axes: drops those of length 1, and merges neighbours that stay contiguous. */
function joined(axes: readonly Axis[]): Axis[] {
  const few: Axis[] = [];
  for (const axis of axes) {
    if (axis.length === 1) continue;
    const last = few.at(-1);
    if (last !== undefined && last.stride === axis.length * axis.stride) {
      few[few.length - 1] = { length: last.length * axis.length, stride: axis.stride };
    } else few.push(axis);
  }
  return few.length === 0 ? [{ length: 1, stride: 1 }] : few;
}

type Units = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function unitsOf({ buffer, byteOffset, byteLength }: Uint8Array, unitBytes: number): Units {
  if (unitBytes === 8) return new Float64Array(buffer, byteOffset, byteLength / 8);
  if (unitBytes === 4) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  if (unitBytes === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Copies plane by plane: of the axis that is dense in the output and the one dense in the input. */
function copyAxes(from: Units, into: Units, axes: readonly Axis[]): void {
  const last = axes.at(-1)!;
  const dense = axes.findIndex(({ stride }) => stride === 1);
  const steps = stridesOf(axes.map(({ length }) => length));
  const plane = last.stride === 1 || dense < 0
    ? { rows: 1, rowStep: 0, rowStride: 0 }
    : { rows: axes[dense]!.length, rowStep: steps[dense]!, rowStride: 1 };
  const around = axes.map((axis, i) => ({ ...axis, step: steps[i]! }))
    .filter((_, i) => i < axes.length - 1 && !(plane.rows > 1 && i === dense));
  const visit = (depth: number, read: number, written: number): void => {
    if (depth === around.length) {
      copyPlane(from, read, into, written, {
        ...plane,
        columns: last.length,
        stride: last.stride,
      });
      return;
    }
    const { length, stride, step } = around[depth]!;
    for (let i = 0; i < length; i++) visit(depth + 1, read + i * stride, written + i * step);
  };
  visit(0, 0, 0);
}

/** The rows and columns of a plane; columns are dense in the output. */
interface Plane {
  readonly rows: number;
  readonly rowStep: number;
  readonly rowStride: number;
  readonly columns: number;
  readonly stride: number;
}

/** The side of a square of items that fits the first-level cache. */
const squareSide = 32;

function copyPlane(from: Units, read: number, into: Units, written: number, plane: Plane): void {
  const { rows, rowStep, rowStride, columns, stride } = plane;
  for (let row = 0; row < rows; row += squareSide) {
    const rowStop = Math.min(row + squareSide, rows);
    for (let column = 0; column < columns; column += squareSide) {
      const columnStop = Math.min(column + squareSide, columns);
      for (let r = row; r < rowStop; r++) {
        const to = written + r * rowStep;
        const at = read + r * rowStride;
        for (let c = column; c < columnStop; c++) into[to + c] = from[at + c * stride]!;
      }
    }
  }
}
