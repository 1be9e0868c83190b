/** The command line as a process. */

import { fileURLToPath } from "node:url";
import { needsModules } from "../../../cli/bundled.ts";

export { inFolder } from "../files/folder.ts";

const root = new URL("../../../", import.meta.url);

// Tests run the modules, not a bundle of the checkout.
Deno.env.set("SLUICE_BUNDLE", "0");

/**
 * A folder with a bundle of the command and its preloads: `deno task test` makes it,
 * since commands start from it in half the time. Without it they run from the modules.
 */
const bundle = Deno.env.get("SLUICE_TEST_BUNDLE");

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

/** Arguments of Deno, up to the name of a program that runs a command of these words. */
export function commandProgram(words: readonly string[] = []): string[] {
  const path = (module: string) =>
    bundle === undefined || needsModules(words)
      ? checkoutPath(module)
      : `${bundle}/${module.replace(/\.ts$/, ".js")}`;
  return [
    `--config=${checkoutPath("deno.json")}`,
    `--preload=${path("tests/support/failed_parts.ts")}`,
    path("cli.ts"),
  ];
}

/** A program of `sh` that stands for the installed command; `options` are those of Deno. */
export function commandScript(...options: readonly string[]): string {
  const words = (args: readonly string[]) =>
    [...options, ...commandProgram(args)].map((word) => `'${word}'`).join(" ");
  return `#!/bin/sh
case " $* " in
*" --plugin"*|*" --code"*) exec deno run -q ${words(["--plugin"])} "$@" ;;
*) exec deno run -q ${words([])} "$@" ;;
esac
`;
}

/** The command as `Deno.Command` takes it; on the host backend, unless `env` says otherwise. */
export function sluiceCommand(args: readonly string[], options: CommandOptions = {}): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "-A",
      ...startFlags,
      ...(options.preload === undefined ? [] : [`--preload=${options.preload}`]),
      ...commandProgram(args),
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
