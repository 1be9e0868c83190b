/** The command line in a line of bash. */

import { airportsFile, commandProgram, flightsFile } from "./sluice.ts";

/** What a line of bash did. */
interface BashResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a line of bash in which `sluice` is the command line, without plugins, and $AIRPORTS and $FLIGHTS
 * are the files of the demo.
 */
export async function bash(line: string, cwd: string): Promise<BashResult> {
  const sluice = `sluice() { "$DENO" run -q -A "\${PROGRAM[@]}" "$@"; }`;
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "-c",
      `set -o pipefail; PROGRAM=("$@"); ${sluice}\n${line}`,
      "bash",
      ...commandProgram(),
    ],
    cwd,
    env: {
      DENO: Deno.execPath(),
      FLIGHTS: flightsFile,
      AIRPORTS: airportsFile,
      SLUICE_DEVICE: "cpu",
      NO_COLOR: "1",
    },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}
