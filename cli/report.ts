/**
 * What an error looks like to who typed the command.
 *
 * @module
 */

import { type Place, showPlace } from "../ops/expr/expr_error.ts";
import { StepFailure } from "./step_failure.ts";

/** Lines for stderr, and the exit status. */
interface Report {
  readonly lines: readonly string[];
  readonly status: number;
}

/** Errors whose reason lies outside of the command: files, devices, memory. */
const outside = new Set(["FileError", "DeviceError", "OverflowError", "Utf8Error"]);

/** Describes an error: one line, and where it lies in a text if that is known. */
export function reportError(error: unknown): Report {
  const chain = causes(error);
  // Whoever reads our output has gone, which is no error of ours.
  if (chain.some((cause) => cause instanceof Deno.errors.BrokenPipe)) {
    return { lines: [], status: 0 };
  }
  const failure = chain.find((cause) => cause instanceof StepFailure);
  const place = chain.map((cause) => (cause as { place?: Place }).place).find((place) => place);
  const prefix = failure === undefined ? "" : `${failure.message}: `;
  const message = `sluice: error: ${prefix}${messageOf(failure?.cause ?? error)}`;
  return {
    lines: place === undefined ? [message] : [message, ...indented(showPlace(place))],
    status: isMistake(chain, failure) ? 2 : 1,
  };
}

/** Mistakes of the command, as opposed to failures of what it runs on. */
function isMistake(chain: readonly unknown[], failure: StepFailure | undefined): boolean {
  const names = chain.map((cause) => (cause as { name?: unknown }).name);
  if (names.includes("CommandError") || names.includes("ExprError")) return true;
  if (failure === undefined || failure.phase === "run") return false;
  if (failure.phase !== "plan") return true;
  if (names.some((name) => outside.has(String(name)))) return false;
  return chain.some((cause) => cause instanceof TypeError || cause instanceof RangeError);
}

/** The message without the step as the library counts it; the command has its own count. */
function messageOf(error: unknown): string {
  const { name, row, cause, message } = error as Error & { row?: number };
  if (name === "StepError" && cause !== undefined) {
    return messageOf(cause) + (row === undefined ? "" : ` (row ${row})`);
  }
  const text = asOptions(error instanceof Error ? String(message) : textOf(error), error);
  return text.replace(/\s+/g, " ").trim().replace(/(?<!\.)\.$/, "") || "Unknown error";
}

/** What the library calls an option of a function is one of the command here. */
function asOptions(message: string, error: unknown): string {
  const { column = "" } = (error ?? {}) as { column?: string };
  const name = /^[\w.-]+$/.test(column) ? column : "NAME";
  return message.replace(
    /; name its type in types, such as "(\w+)"/,
    `; give its type: --types ${name}=$1`,
  );
}

/** What was thrown may be anything. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "";
  }
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause !== null && cause !== undefined && chain.length < 20;) {
    chain.push(cause);
    cause = (cause as { cause?: unknown }).cause;
  }
  return chain;
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
