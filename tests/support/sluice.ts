/** The command line as a process. */

import { fileURLToPath } from "node:url";

export { inFolder } from "./folder.ts";

const root = new URL("../../", import.meta.url);

// Tests are of the modules, which some replace, unless SLUICE_TEST_BUNDLE=1 asks for the bundle.
if (Deno.env.get("SLUICE_TEST_BUNDLE") !== "1") Deno.env.set("SLUICE_BUNDLE", "0");

/** A path of the checkout, absolute. */
export function checkoutPath(path: string): string {
  return fileURLToPath(new URL(path, root));
}

/** The files of the demo. */
export const flightsFile: string = checkoutPath(
  "node_modules/vega-datasets/data/flights-3m.parquet",
);
export const airportsFile: string = checkoutPath("node_modules/vega-datasets/data/airports.csv");

/** What a command did. */
export interface CommandResult {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** stdout and stderr as text. */
  readonly out: string;
  readonly err: string;
}

/** How to start a command. */
interface CommandOptions {
  readonly cwd?: string;
  readonly stdin?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** A module that runs before the command. */
  readonly preload?: string;
}

/** The flags of Deno with which `deno task sluice` starts the command, but for its permissions. */
export const startFlags: readonly string[] =
  (JSON.parse(Deno.readTextFileSync(checkoutPath("deno.json"))).tasks.sluice.command as string)
    .split(" ").filter((word) => word.startsWith("--"));

/** The command as `Deno.Command` takes it; on the host backend, unless `env` says otherwise. */
export function sluiceCommand(args: readonly string[], options: CommandOptions = {}): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "-A",
      ...startFlags,
      `--config=${checkoutPath("deno.json")}`,
      `--preload=${checkoutPath("tests/support/failed_parts.ts")}`,
      ...(options.preload === undefined ? [] : [`--preload=${options.preload}`]),
      checkoutPath("cli.ts"),
      ...args,
    ],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { SLUICE_DEVICE: "cpu", NO_COLOR: "1", ...options.env },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a command to its end. */
export async function sluice(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = sluiceCommand(args, options).spawn();
  const output = child.output();
  if (options.stdin !== undefined) {
    // The command may end before it has read everything.
    await new Blob([options.stdin.slice()]).stream().pipeTo(child.stdin).catch(() => {});
  }
  const { code, stdout, stderr } = await output;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { status: code, bytes: stdout, out: text(stdout), err: text(stderr) };
}
