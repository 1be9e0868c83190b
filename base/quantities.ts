/**
 * Parses and formats sizes in bytes and counts, as people write and read them.
 *
 * @module
 */

const unitBytes: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  ki: 2 ** 10,
  kib: 2 ** 10,
  mi: 2 ** 20,
  mib: 2 ** 20,
  gi: 2 ** 30,
  gib: 2 ** 30,
  ti: 2 ** 40,
  tib: 2 ** 40,
};

/** Parses a size such as `64MiB`, `1.5GB` or `65536` to bytes; undefined for other text and for 0. */
export function parseSize(text: string): number | undefined {
  const [, number, unit] = /^([0-9][0-9_]*(?:\.[0-9]+)?)\s*([a-zA-Z]*)$/.exec(text) ?? [];
  const bytesOfUnit = unitBytes[unit?.toLowerCase() ?? "?"];
  if (number === undefined || bytesOfUnit === undefined) return undefined;
  const bytes = Math.round(Number(number.replaceAll("_", "")) * bytesOfUnit);
  return Number.isSafeInteger(bytes) && bytes >= 1 ? bytes : undefined;
}

/** Formats 1536 bytes as `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  return formatSize(bytes, 1024, ["KiB", "MiB", "GiB", "TiB"], Math.round);
}

const metricUnits = ["kB", "MB", "GB", "TB", "PB"];

/** Formats 1500 bytes as `1.5 kB`. */
export function sizeText(bytes: number): string {
  return formatSize(bytes, 1000, metricUnits, Math.round);
}

/** Formats bytes in metric units, rounded up, so that the result suffices as a limit. */
export function enoughText(bytes: number): string {
  return formatSize(bytes, 1000, metricUnits, Math.ceil);
}

/** Formats bytes in metric units, rounded down, so that the result never exceeds them. */
export function mostText(bytes: number): string {
  return formatSize(bytes, 1000, metricUnits, Math.floor);
}

function formatSize(
  bytes: number,
  base: number,
  units: readonly string[],
  round: (tenths: number) => number,
): string {
  if (bytes < base) return `${round(bytes)} B`;
  const tenthsOf = (unit: number) => round(10 * bytes / base ** (unit + 1));
  let unit = 0;
  // A value that would round to 1000.0 is 1.0 of the next unit.
  while (unit < units.length - 1 && tenthsOf(unit) >= 10 * base) unit++;
  return `${(tenthsOf(unit) / 10).toFixed(1)} ${units[unit]}`;
}

/** Formats 1234567 as `1,234,567`. */
export function formatCount(count: number | bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
