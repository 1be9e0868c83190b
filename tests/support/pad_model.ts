/**
 * Filling and repeating over arrays of code points: an oracle.
 *
 * @module
 */

/** The operations by name; null stands for an argument that is left out. */
export const padModel = {
  pad(text: string, width: number, side: string | null = null, fill: string | null = null): string {
    const missing = Math.max(width - [...text].length, 0);
    const behind = side === "right"
      ? missing
      : side !== "both"
      ? 0
      : width % 2 === 0
      ? Math.ceil(missing / 2)
      : Math.floor(missing / 2);
    return (fill ?? " ").repeat(missing - behind) + text + (fill ?? " ").repeat(behind);
  },
  zfill(text: string, width: number): string {
    const [sign = ""] = /^[+-]/.exec(text) ?? [];
    const zeros = "0".repeat(Math.max(width - [...text].length, 0));
    return sign + zeros + text.slice(sign.length);
  },
  repeat: (text: string, n: number): string => text.repeat(Math.max(n, 0)),
};
