/**
 * Finds test files.
 *
 * @module
 */

/** Parts of the paths of tests that take minutes, the longest first; device tests take long too. */
const LONGEST = [
  "tests/device/ops/string/operations_test.ts",
  "tests/device/gpu/webgpu/evaluate/evaluate_test.ts",
  "tests/host/ops/string/operations_test.ts",
  "tests/host/ops/string/regex_test.ts",
  "tests/device/",
];

/**
 * Returns the test files at some paths, each a file or a folder. Those that take longest come first, so that
 * no long one is left at the end.
 */
export function findTestFiles(paths: readonly string[]): string[] {
  const files = new Set(paths.flatMap((path) => filesAt(path.replace(/\/+$/, ""))));
  return [...files].sort((left, right) =>
    placeOf(left) - placeOf(right) || (left < right ? -1 : 1)
  );
}

/** Returns the position of a file among those that take longest, or the one after them. */
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
