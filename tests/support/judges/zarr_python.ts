/** zarr-python 2 as an oracle, where the system's Python has it: Debian's package python3-zarr. */

const python = "/usr/bin/python3";
const isRequired = Deno.env.get("SLUICE_REQUIRE_ZARR") === "1";

/**
 * Registers a test that asks zarr-python. Without one it is reported as ignored, with the reason in its
 * title; with SLUICE_REQUIRE_ZARR=1 it fails instead.
 */
export function zarrPythonTest(name: string, fn: () => Promise<void>): void {
  if (hasZarr()) {
    Deno.test(name, fn);
  } else if (isRequired) {
    Deno.test(name, () => {
      throw new Error("SLUICE_REQUIRE_ZARR is 1 and the system's Python has no zarr 2");
    });
  } else {
    Deno.test({ name: `${name} (ignored: no python3-zarr)`, ignore: true, fn });
  }
}

/**
 * Arrays to be made in a folder, or two that are to be compared; or items of an array in a folder that has
 * its documents, to be written or read.
 */
type ZarrPythonJob =
  | { readonly make: string }
  | { readonly makeTexts: string }
  | { readonly makeScaled: string }
  | { readonly compare: readonly [string, string] }
  /** Items in base64, in C order and little endian; those of any length one by one. */
  | { readonly write: string; readonly items: string | readonly string[] }
  | { readonly read: string };

/** Does jobs; returns the lines that they print. */
export async function askZarrPython(jobs: readonly ZarrPythonJob[]): Promise<string[]> {
  const child = new Deno.Command(python, {
    args: [new URL("./zarr_python.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const lines = jobs.map((job) => `${JSON.stringify(job)}\n`).join("");
  const sent = ReadableStream.from([new TextEncoder().encode(lines)]).pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await sent;
  if (!success) throw new Error("zarr-python failed");
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1);
}

/** Whether the system's Python has zarr 2. */
export function hasZarr(): boolean {
  try {
    const asks = "import sys, zarr; sys.exit(zarr.__version__[:2] != '2.')";
    return new Deno.Command(python, { args: ["-c", asks], stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
