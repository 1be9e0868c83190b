/**
 * Values of fixed width at the rows of a selection.
 *
 * One loop a width, so that V8 sees one kind of array in each. Values of 8 bytes move as BigInt64
 * elements: V8 keeps them in registers, and unlike float64 elements every bit pattern arrives.
 *
 * @module
 */

/**
 * The values of `width` bytes of `source` at each row of `selection`; zeros where the row is -1,
 * which only occurs if `mayMiss`. `source` starts on a multiple of 8 bytes and holds at least one
 * value.
 */
export function gatherFixed(
  source: Uint8Array,
  width: number,
  selection: Int32Array,
  mayMiss: boolean,
): Uint8Array {
  const target = new Uint8Array(selection.length * width);
  const rows = mayMiss ? presentRows(selection) : selection;
  switch (width) {
    case 1:
      gather8(source, target, rows);
      break;
    case 2:
      gather16(viewAs(Int16Array, source), new Int16Array(target.buffer), rows);
      break;
    case 4:
      gather32(viewAs(Int32Array, source), new Int32Array(target.buffer), rows);
      break;
    case 8:
      gather64(viewAs(BigInt64Array, source), new BigInt64Array(target.buffer), rows);
      break;
    default:
      if (width % 4 === 0) {
        gatherWide(viewAs(Int32Array, source), new Int32Array(target.buffer), rows, width / 4);
      } else {
        gatherWide(source, target, rows, width);
      }
  }
  if (mayMiss) clearMissing(target, width, selection);
  return target;
}

/** The bytes as elements of another kind. */
export function viewAs<T>(
  View: {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  },
  bytes: Uint8Array,
): T {
  return new View(
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.byteLength / View.BYTES_PER_ELEMENT),
  );
}

/** The selection with row 0 in the place of -1. */
function presentRows(selection: Int32Array): Int32Array {
  const rows = new Int32Array(selection.length);
  for (let i = 0; i < rows.length; i++) rows[i] = selection[i]! & ~(selection[i]! >> 31);
  return rows;
}

function gather8(source: Uint8Array, target: Uint8Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather16(source: Int16Array, target: Int16Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather32(source: Int32Array, target: Int32Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather64(source: BigInt64Array, target: BigInt64Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

/** Values of `each` elements. */
function gatherWide<T extends Int32Array | Uint8Array>(
  source: T,
  target: T,
  rows: Int32Array,
  each: number,
): void {
  for (let i = 0, at = 0; i < rows.length; i++) {
    const start = rows[i]! * each;
    for (let from = start; from < start + each; from++, at++) target[at] = source[from]!;
  }
}

/** Zeros the values whose row is -1. */
function clearMissing(target: Uint8Array, width: number, selection: Int32Array): void {
  const whole = width % 4 === 0;
  const elements = whole ? new Int32Array(target.buffer) : target;
  const each = whole ? width / 4 : width;
  for (let i = 0; i < selection.length; i++) {
    if (selection[i]! < 0) {
      for (let at = i * each; at < (i + 1) * each; at++) elements[at] = 0;
    }
  }
}
