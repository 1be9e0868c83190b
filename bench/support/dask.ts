/**
 * Dask as a peer of rechunking, if a Python has it and Zarr.
 *
 * @module
 */

/** A Python with Dask and Zarr. */
interface Dask {
  /** Dask and Zarr with their versions. */
  readonly name: string;
  /** Rechunks an array, and returns the milliseconds without the start of Python. */
  rechunk(source: string, target: string, chunk: readonly number[]): Promise<number>;
}

const script = new URL("./dask_rechunk.py", import.meta.url).pathname;

/** Returns the first Python that has both; undefined if none does. */
export async function findDask(): Promise<Dask | undefined> {
  for (const python of ["python3", "/usr/bin/python3"]) {
    const versions = await output(python, [
      "-c",
      "import dask.array, zarr; print(dask.__version__, zarr.__version__)",
    ]);
    if (versions === undefined) continue;
    const [dask, zarr] = versions.split(" ");
    const threads = navigator.hardwareConcurrency;
    return {
      name: `Dask ${dask} with Zarr ${zarr}, ${threads} threads`,
      async rechunk(source, target, chunk) {
        const seconds = await output(python, [script, source, target, `${chunk}`, `${threads}`]);
        if (seconds === undefined) throw new Error("Dask failed");
        return 1e3 * Number(seconds);
      },
    };
  }
  return undefined;
}

async function output(python: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const command = new Deno.Command(python, { args: [...args], stderr: "null" });
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}
