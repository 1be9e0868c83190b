/**
 * Swaps the byte order of numbers.
 *
 * @module
 */

/** Reverses every `unitBytes` bytes in place: 2, 4 or 8; 1 leaves them. */
export function turnBytes(bytes: Uint8Array, unitBytes: number): void {
  if (unitBytes === 2 && bytes.byteOffset % 2 === 0) return turn16(bytes);
  if (unitBytes === 4 && bytes.byteOffset % 4 === 0) return turn32(bytes);
  if (unitBytes === 8 && bytes.byteOffset % 4 === 0) return turn64(bytes);
  if (unitBytes === 1) return;
  for (let at = 0; at < bytes.length; at += unitBytes) {
    for (let low = at, high = at + unitBytes - 1; low < high; low++, high--) {
      const byte = bytes[low]!;
      bytes[low] = bytes[high]!;
      bytes[high] = byte;
    }
  }
}

function turn16({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const units = new Uint16Array(buffer, byteOffset, byteLength / 2);
  for (let i = 0; i < units.length; i++) units[i] = (units[i]! << 8) | (units[i]! >>> 8);
}

function turn32({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const units = new Uint32Array(buffer, byteOffset, byteLength / 4);
  for (let i = 0; i < units.length; i++) units[i] = turned(units[i]!);
}

function turn64({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const halves = new Uint32Array(buffer, byteOffset, byteLength / 4);
  for (let i = 0; i < halves.length; i += 2) {
    const low = halves[i]!;
    halves[i] = turned(halves[i + 1]!);
    halves[i + 1] = turned(low);
  }
}

function turned(unit: number): number {
  return (unit << 24) | ((unit & 0xff00) << 8) | ((unit >>> 8) & 0xff00) | (unit >>> 24);
}
