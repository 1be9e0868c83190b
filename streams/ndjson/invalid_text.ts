/** @module */

/** What stands for the first byte that is wrong; no text that is exchanged has it. */
const MARK = "\ufdd0";

/** The column of a row of NDJSON whose value has the first bytes that are not UTF-8, if one has. */
export function columnOfInvalid(bytes: Uint8Array): string | undefined {
  const stop = soundBytes(bytes);
  const decoder = new TextDecoder("utf-8");
  const marked = decoder.decode(bytes.subarray(0, stop)) + MARK +
    decoder.decode(bytes.subarray(stop));
  try {
    const row: unknown = JSON.parse(marked);
    if (typeof row !== "object" || row === null) return undefined;
    return Object.entries(row).find(([, value]) => JSON.stringify(value).includes(MARK))?.[0];
  } catch {
    return undefined;
  }
}

/** How many bytes there are before the first that no UTF-8 could have there. */
function soundBytes(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSoundSoFar(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isSoundSoFar(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
