/**
 * Prints folded statements as WGSL, which has no labels. A `loop` becomes a `for`. A `block` with a
 * jump out of it becomes a `switch` with one case. A jump out of the innermost construct is a plain
 * `break` or `continue`, or clears the local that a loop asks (`askingLocal`). A jump that goes
 * further sets a flag and leaves the innermost construct; the flag is tested after every construct
 * on its way.
 *
 * @module
 */

import { KernelError } from "../../../../../base/errors/expr_error.ts";
import type { AppendPrinter } from "./append.ts";
import type { ItemPrinter } from "./items.ts";
import { type LoopHelp, printIdiom } from "./idioms.ts";
import { localName, printScalar, scalarType } from "./scalar.ts";
import type { Steps } from "./steps.ts";
import { askingLocal, withPlainUpdate } from "./rewrite.ts";
import type { KnownSeek, Stmt } from "../../../ir/ir.ts";
import { knownSeek } from "../../../ir/loop_idiom.ts";
import { visit } from "../../../ir/visit.ts";

type Loop = Extract<Stmt, { do: "loop" }>;
type Block = Extract<Stmt, { do: "block" }>;
type Jump = Extract<Stmt, { do: "break" | "continue" }>;

/** A construct that is being printed. */
interface Construct {
  readonly label: string;
  readonly isLoop: boolean;
  /** The local that a loop asks at its head; null for other constructs. */
  readonly goesOn: string | null;
  /** The kinds of jumps to this label that need a flag. */
  readonly flags: Set<Jump["do"]>;
  /** The flags that are tested after this construct, with their jumps. */
  readonly raised: Map<string, Jump>;
}

/** The options that depend on the pass. */
export interface BodyOptions extends LoopHelp {
  readonly append: AppendPrinter;
  readonly item: ItemPrinter;
  /** The counters of rounds, which end a row with too many; null if rounds are not counted. */
  readonly steps: Steps | null;
}

/** Prints the body of one row. */
export function printBody(body: readonly Stmt[], options: BodyOptions): string {
  return new StatementPrinter(assignedLocals(body), options).list(body, "  ");
}

class StatementPrinter {
  readonly #assigned: ReadonlySet<string>;
  readonly #options: BodyOptions;
  readonly #open: Construct[] = [];

  constructor(assigned: ReadonlySet<string>, options: BodyOptions) {
    this.#assigned = assigned;
    this.#options = options;
  }

  /** The last argument of functions that count rounds. */
  get #argument(): string {
    return this.#options.steps?.argument ?? "";
  }

  list(body: readonly Stmt[], indent: string): string {
    let text = "";
    for (let i = 0; i < body.length; i++) {
      const stmt = body[i]!;
      if (isAppend(stmt)) {
        const first = i;
        while (isAppend(body[i + 1])) i++;
        for (const line of this.#options.append(body.slice(first, i + 1))) {
          text += `${indent}${line}\n`;
        }
        continue;
      }
      text += this.#statement(stmt, indent);
      // WGSL allows nothing after a jump.
      if (endsList(stmt)) break;
    }
    return text;
  }

  #statement(stmt: Stmt, indent: string): string {
    switch (stmt.do) {
      case "let": {
        const keyword = this.#assigned.has(stmt.name) ? "var" : "let";
        return `${indent}${keyword} ${localName(stmt.name)}: ${scalarType(stmt.type)} = ` +
          `${printScalar(stmt.value)};\n`;
      }
      case "set":
        return `${indent}${printSet(stmt)};\n`;
      case "if":
        return this.#if(stmt, indent);
      case "loop":
        return this.#loop(stmt, indent);
      case "block":
        return this.#block(stmt, indent);
      case "break":
      case "continue":
        return this.#jump(stmt, indent);
      case "null":
        return `${indent}row_is_null = true;\n${indent}return;\n`;
      case "store":
        return `${indent}scratch[${printScalar(stmt.at)}] = ${printScalar(stmt.value)};\n`;
      case "result":
        return stmt.words.map((word, i) => `${indent}result${i} = ${printScalar(word)};\n`).join(
          "",
        );
      case "beginItem":
      case "endItem":
      case "number":
        return this.#options.item(stmt).map((line) => `${indent}${line}\n`).join("");
      case "put":
      case "copy":
      case "repeat":
      case "checkRepeat":
        return this.list([stmt], indent);
      case "fail":
        return `${indent}row_fails = true;\n${indent}return;\n`;
      case "hostCall":
        throw new KernelError(`WGSL has no ${stmt.name}`);
    }
  }

  #if(stmt: Extract<Stmt, { do: "if" }>, indent: string): string {
    const then = this.list(stmt.then, `${indent}  `);
    let text = `${indent}if (${printScalar(stmt.test)}) {\n${then}${indent}}`;
    const [first, ...rest] = stmt.else;
    if (first?.do === "if" && rest.length === 0) {
      text += ` else ${this.#if(first, indent).trimStart()}`;
      return text;
    }
    if (first !== undefined) text += ` else {\n${this.list(stmt.else, `${indent}  `)}${indent}}`;
    return `${text}\n`;
  }

  #loop(loop: Loop, indent: string): string {
    const known = printIdiom(loop, this.#options, this.#options.steps);
    if (known !== null) return known.map((line) => `${indent}${line}\n`).join("");
    const marked = this.#markedSeek(loop, indent);
    if (marked !== null) return marked;
    const seek = knownSeek(loop);
    if (seek !== null) return this.#seek(loop, seek, indent);
    const asking = askingLocal(loop);
    if (asking !== null) {
      const goesOn = localName(asking.goesOn);
      const first = `${indent}var ${goesOn} = ${printScalar(asking.first)};\n`;
      return first + this.#for(asking.loop, "", indent, goesOn);
    }
    const stmt = withPlainUpdate(loop);
    const [update, ...more] = stmt.update;
    if (more.length === 0 && (update === undefined || update.do === "set")) {
      return this.#for(stmt, update === undefined ? "" : printSet(update), indent);
    }
    const test = testOf(stmt);
    const { leave, body, relay } = this.#rounds(stmt, indent);
    const exit = test === "" ? "" : `${indent}  if (!(${test})) { break; }\n`;
    const steps = this.list(stmt.update, `${indent}    `);
    return `${leave}${indent}loop {\n${exit}${body}` +
      `${indent}  continuing {\n${steps}${indent}  }\n${indent}}\n${relay}`;
  }

  /**
   * Prints a search from one place of the first byte to the next, until the other bytes match, too.
   */
  #seek(stmt: Loop, { at, last, column, bytes }: KnownSeek, indent: string): string {
    const place = localName(at);
    const next = (from: string) =>
      `${place} = seek${column}(${from}, ${printScalar(last)}, ${bytes[0]}u${this.#argument})`;
    const first = `${indent}${next(place)};\n`;
    return bytes.length === 1 ? first : first + this.#for(stmt, next(`${place} + 1`), indent);
  }

  /**
   * Prints a search from one place where the needle may be to the next; null if the text is not
   * marked.
   */
  #markedSeek(stmt: Loop, indent: string): string | null {
    if (stmt.idiom?.does !== "seek") return null;
    const { idiom } = stmt;
    const at = localName(idiom.at);
    const last = printScalar(idiom.last);
    const next = (from: string) => this.#options.marked?.place(stmt, idiom, from, last) ?? null;
    const [first, step] = [next(at), next(`${at} ${idiom.backward ? "-" : "+"} 1`)];
    if (first === null || step === null) return null;
    return `${indent}${at} = ${first};\n` + this.#for(stmt, `${at} = ${step}`, indent);
  }

  #for(stmt: Loop, step: string, indent: string, goesOn: string | null = null): string {
    const { leave, body, relay } = this.#rounds(stmt, indent, goesOn);
    return `${leave}${indent}for (; ${testOf(stmt)}; ${step}) {\n${body}${indent}}\n${relay}`;
  }

  /** Prints the body of a loop, and the flags of the jumps that leave it. */
  #rounds(
    stmt: Loop,
    indent: string,
    goesOn: string | null = null,
  ): { leave: string; body: string; relay: string } {
    const { body, construct } = this.#inside(stmt, { isLoop: true, goesOn }, `${indent}  `);
    const { steps } = this.#options;
    let head = steps === null ? "" : `${indent}  if (${steps.outOfSteps}) { return; }\n`;
    if (construct.flags.has("continue")) {
      head += `${indent}  var ${flagOf("continue", stmt.label)} = false;\n`;
    }
    const leave = this.#leaveFlag(construct, indent);
    return { leave, body: head + body, relay: this.#relay(construct, indent) };
  }

  #block(stmt: Block, indent: string): string {
    if (!hasBreakTo(stmt.label, stmt.body)) return this.list(stmt.body, indent);
    const kind = { isLoop: false, goesOn: null };
    const { body, construct } = this.#inside(stmt, kind, `${indent}    `);
    return this.#leaveFlag(construct, indent) +
      `${indent}switch 0 {\n${indent}  default: {\n${body}${indent}  }\n${indent}}\n` +
      this.#relay(construct, indent);
  }

  #inside(
    stmt: Loop | Block,
    kind: Pick<Construct, "isLoop" | "goesOn">,
    indent: string,
  ): { body: string; construct: Construct } {
    const construct: Construct = {
      label: stmt.label,
      ...kind,
      flags: new Set(),
      raised: new Map(),
    };
    this.#open.push(construct);
    const body = this.list(stmt.body, indent);
    this.#open.pop();
    return { body, construct };
  }

  #leaveFlag(construct: Construct, indent: string): string {
    if (!construct.flags.has("break")) return "";
    return `${indent}var ${flagOf("break", construct.label)} = false;\n`;
  }

  #jump(jump: Jump, indent: string): string {
    const lines = (jumps: string[]) => jumps.map((line) => `${indent}${line}\n`).join("");
    if (this.#reaches(jump)) return lines(this.#leave(jump.do));
    const target = this.#open.find((construct) => construct.label === jump.label);
    if (target === undefined) throw new KernelError(`No construct is labelled ${jump.label}`);
    const flag = flagOf(jump.do, jump.label);
    target.flags.add(jump.do);
    this.#open.at(-1)?.raised.set(flag, jump);
    return lines([`${flag} = true;`, ...this.#leave("break")]);
  }

  /** Prints a jump out of the innermost construct, or to the next round of the innermost loop. */
  #leave(how: Jump["do"]): string[] {
    const goesOn = this.#open.at(-1)?.goesOn ?? null;
    return how === "break" && goesOn !== null ? [`${goesOn} = false;`, "continue;"] : [`${how};`];
  }

  /** Prints the end of a construct, which passes on jumps that go further. */
  #relay(inner: Construct, indent: string): string {
    let text = "";
    for (const [flag, jump] of inner.raised) {
      const arrives = this.#reaches(jump);
      if (!arrives) this.#open.at(-1)?.raised.set(flag, jump);
      text += `${indent}if (${flag}) { ${this.#leave(arrives ? jump.do : "break").join(" ")} }\n`;
    }
    return text;
  }

  /**
   * Whether a plain `break` or `continue` reaches the target; a `switch` lets a `continue` through.
   */
  #reaches(jump: Jump): boolean {
    const target = jump.do === "break"
      ? this.#open.at(-1)
      : this.#open.findLast((construct) => construct.isLoop);
    return target?.label === jump.label;
  }
}

/** Prints the test of a loop; nothing if it always holds. */
function testOf({ test }: Loop): string {
  return test.op === "const" && test.value === true ? "" : printScalar(test);
}

function printSet(stmt: Extract<Stmt, { do: "set" }>): string {
  return `${localName(stmt.name)} = ${printScalar(stmt.value)}`;
}

function flagOf(kind: Jump["do"], label: string): string {
  return `${kind === "break" ? "leave" : "again"}_${localName(label)}`;
}

function isAppend(stmt: Stmt | undefined): boolean {
  return stmt?.do === "put" || stmt?.do === "copy" || stmt?.do === "repeat" ||
    stmt?.do === "checkRepeat";
}

/** Whether control never continues after a statement. */
function endsList(stmt: Stmt): boolean {
  switch (stmt.do) {
    case "break":
    case "continue":
    case "fail":
    case "null":
      return true;
    case "if":
      return stmt.then.some(endsList) && stmt.else.some(endsList);
    case "block":
      return !hasBreakTo(stmt.label, stmt.body) && stmt.body.some(endsList);
    default:
      return false;
  }
}

function hasBreakTo(label: string, body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    switch (stmt.do) {
      case "break":
        return stmt.label === label;
      case "if":
        return hasBreakTo(label, stmt.then) || hasBreakTo(label, stmt.else);
      case "loop":
      case "block":
        return hasBreakTo(label, stmt.body);
      default:
        return false;
    }
  });
}

/** Returns the names of the locals that are assigned after their declaration. */
function assignedLocals(body: readonly Stmt[]): Set<string> {
  const names = new Set<string>();
  visit(body, { stmt: (stmt) => void (stmt.do === "set" && names.add(stmt.name)) });
  return names;
}
