/** @module */

/** Tests that take minutes, as parts of their paths, the longest first; the device's take long, too. */
const LONGEST = [
  "tests/device/ops/string/operations_test.ts",
  "tests/device/gpu/webgpu/evaluate/evaluate_test.ts",
  "tests/host/ops/string/operations_test.ts",
  "tests/host/ops/string/regex_test.ts",
  "tests/device/",
];

/**
 * The files of tests at some paths, each of which is a file or a folder: first those that take longest,
 * so that none of them is the last that everything waits for.
 */
export function findTestFiles(paths: readonly string[]): string[] {
  const files = new Set(paths.flatMap((path) => filesAt(path.replace(/\/+$/, ""))));
  return [...files].sort((left, right) =>
    placeOf(left) - placeOf(right) || (left < right ? -1 : 1)
  );
}

/** Among those that take longest, or behind them. */
function placeOf(file: string): number {
  const place = LONGEST.findIndex((part) => file.includes(part));
  return place < 0 ? LONGEST.length : place;
}

function filesAt(path: string): string[] {
  if (!Deno.statSync(path).isDirectory) return [path];
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return filesAt(`${path}/${name}`);
    return name.endsWith("_test.ts") ? [`${path}/${name}`] : [];
  });
}
