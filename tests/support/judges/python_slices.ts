/** Python's lists as an oracle: which rows slices and positions take. */

/** `start`, `stop` and `step` of a slice; null is open. */
export type Bounds = readonly [number | null, number | null, number | null];

/** A selection of rows: a slice, a list of positions and slices, or some rows left out. */
export type PythonStep =
  | { readonly slice: Bounds }
  | { readonly take: readonly (number | Bounds)[] }
  | { readonly without: readonly number[] };

/** Steps one after the other, of the rows 0 to `rows - 1`. */
export interface SliceCase {
  readonly rows: number;
  readonly steps: readonly PythonStep[];
}

/** The rows that Python takes in each case; null where it raises IndexError. */
export async function slicesOfPython(cases: readonly SliceCase[]): Promise<(number[] | null)[]> {
  const child = new Deno.Command("python3", {
    args: [new URL("./python_slices.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = cases.map((one) => `${JSON.stringify(one)}\n`).join("");
  const sent = ReadableStream.from([new TextEncoder().encode(lines)]).pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await sent;
  if (!success) throw new Error("python3 failed");
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}
