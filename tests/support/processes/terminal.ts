/**
 * A command as a person sees it: on a pseudo terminal, which Python opens, and a model of the screen.
 */

import { checkoutPath, commandProgram } from "./sluice.ts";

/** What a command wrote on a terminal. */
export interface TerminalResult {
  readonly status: number;
  /** Pieces of output, in order, with the seconds since the start. */
  readonly pieces: readonly { readonly seconds: number; readonly text: string }[];
}

/** How a command is run on a terminal. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The text after which Ctrl-C is typed. */
  readonly interruptAfter?: string;
}

/** Runs a command, program first, on a terminal of its own. */
export async function onTerminal(
  command: readonly string[],
  { columns = 100, cwd, env, interruptAfter = "" }: TerminalOptions = {},
): Promise<TerminalResult> {
  const script = checkoutPath("tests/support/processes/terminal.py");
  const { success, stdout, stderr } = await new Deno.Command("python3", {
    args: [script, String(columns), interruptAfter, ...command],
    ...(cwd === undefined ? {} : { cwd }),
    env: { TERM: "xterm", NO_COLOR: "1", ...env },
  }).output();
  if (!success) throw new Error(`python3 failed: ${new TextDecoder().decode(stderr)}`);
  const { status, pieces } = JSON.parse(new TextDecoder().decode(stdout));
  const decoder = new TextDecoder();
  return {
    status,
    pieces: (pieces as [number, string][]).map(([seconds, latin]) => {
      const bytes = Uint8Array.from(latin, (character) => character.charCodeAt(0));
      return { seconds, text: decoder.decode(bytes, { stream: true }) };
    }),
  };
}

/** The command line of this checkout, for `onTerminal`. */
export function sluiceOnTerminal(
  args: readonly string[],
  options: TerminalOptions = {},
): Promise<TerminalResult> {
  const program = [Deno.execPath(), "run", "-q", "-A", ...commandProgram(args)];
  const env = { SLUICE_DEVICE: "cpu", ...options.env };
  return onTerminal([...program, ...args], { ...options, env });
}

/**
 * The lines of a screen with a number of columns. Knows the controls of a progress line: CR, LF, wrapping at the
 * last column, and erasing to the end of the line; any other escape sequence is an error.
 */
export class Screen {
  readonly lines: string[] = [""];
  readonly #columns: number;
  #row = 0;
  #column = 0;

  constructor(columns = 100) {
    this.#columns = columns;
  }

  /** Writes output as it came. */
  write(text: string): void {
    // deno-lint-ignore no-control-regex -- the escape is what it looks for
    for (const [part] of text.matchAll(/\x1b\[K|\r|\n|[^\x1b\r\n]/gu)) this.#take(part);
    const rest = text.replaceAll("\x1b[K", "");
    if (rest.includes("\x1b")) throw new Error(`unknown sequence in ${JSON.stringify(rest)}`);
  }

  /** Lines up to the last one with text. */
  get text(): string {
    return this.lines.map((line) => line.trimEnd()).join("\n").trimEnd();
  }

  #take(part: string): void {
    if (part === "\r") this.#column = 0;
    else if (part === "\n") this.#feed();
    else if (part === "\x1b[K") this.#line = this.#line.slice(0, this.#column);
    else {
      if (this.#column === this.#columns) {
        this.#column = 0;
        this.#feed();
      }
      const line = this.#line.padEnd(this.#column);
      this.#line = line.slice(0, this.#column) + part + line.slice(this.#column + 1);
      this.#column++;
    }
  }

  #feed(): void {
    this.#row++;
    if (this.#row === this.lines.length) this.lines.push("");
  }

  get #line(): string {
    return this.lines[this.#row]!;
  }

  set #line(text: string) {
    this.lines[this.#row] = text;
  }
}
