/** @module */

/**
 * The files of tests at some paths, each of which is a file or a folder: first those of the device,
 * of which some take longest, so that none of them is the last that everything waits for.
 */
export function findTestFiles(paths: readonly string[]): string[] {
  const files = new Set(paths.flatMap((path) => filesAt(path.replace(/\/+$/, ""))));
  const isOfDevice = (file: string) => file.includes("tests/device/");
  return [...files].sort((left, right) =>
    Number(isOfDevice(right)) - Number(isOfDevice(left)) || (left < right ? -1 : 1)
  );
}

function filesAt(path: string): string[] {
  if (!Deno.statSync(path).isDirectory) return [path];
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return filesAt(`${path}/${name}`);
    return name.endsWith("_test.ts") ? [`${path}/${name}`] : [];
  });
}
