/** Arrays of Zarr, read and written by Python's standard library alone. */

/** The codecs and kinds of arrays that it knows, as `randomZarr` names them. */
const known = /^(u?int\d+|float\d+|complex\d+|bool|r24|little|big|F|transpose|start)$/;
const knownCodecs = new Set(["sharding_indexed", "gzip", "zlib", "crc32c"]);

/** Whether Python's standard library supports the drawn array. */
export function pythonKnows(kinds: readonly string[]): boolean {
  return kinds.every((kind) => known.test(kind) || knownCodecs.has(kind));
}

/** An array to be read, or to be written with a document and items. */
export interface PythonZarrJob {
  readonly path: string;
  readonly metadata?: string;
  /** In C order and the order of the host; those of any length one by one. */
  readonly items?: Uint8Array | readonly Uint8Array[];
  /** Unused bytes around the chunks of shards. */
  readonly gap?: number;
}

/** Does jobs; returns the items of the arrays that are read, in C order and the order of the host. */
export async function zarrOfPython(jobs: readonly PythonZarrJob[]): Promise<Uint8Array[]> {
  return (await answersOfPython(jobs)).map((line) => Uint8Array.fromBase64(line));
}

/** The same for arrays of items of variable size: each item separately. */
export async function textsOfPython(jobs: readonly PythonZarrJob[]): Promise<Uint8Array[][]> {
  const answers = await answersOfPython(jobs);
  return answers.map((line) => line.split(",").map((item) => Uint8Array.fromBase64(item)));
}

async function answersOfPython(jobs: readonly PythonZarrJob[]): Promise<string[]> {
  const child = new Deno.Command("python3", {
    args: [new URL("./python_zarr.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = jobs.map(({ items, ...job }) => {
    const sent = items instanceof Uint8Array
      ? items.toBase64()
      : items?.map((item) => item.toBase64());
    return `${JSON.stringify({ ...job, items: sent })}\n`;
  });
  const sent = ReadableStream.from([new TextEncoder().encode(lines.join(""))]).pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await sent;
  if (!success) throw new Error("python3 failed");
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1);
}
