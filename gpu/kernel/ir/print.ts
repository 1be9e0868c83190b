/**
 * Prints lowered kernels as text, for people and for golden files: one line a statement, in the
 * words of `ir.ts`. Ranges are half open; a `;` starts a note.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type {
  BinaryFn,
  ByteRange,
  Count,
  Follow,
  HostCall,
  KernelIR,
  LoopIdiom,
  MapBytes,
  Match,
  Scalar,
  ScalarType,
  Seek,
  Skip,
  Space,
  Stmt,
  Walk,
} from "./ir.ts";
import { rangesOf } from "./map_ranges.ts";
import { isConstant } from "./scalar.ts";

/**
 * Prints a kernel. `names` are those of the program's columns; a column without one is `$` and its
 * number.
 */
export function printIr(kernel: KernelIR, names: readonly string[] = []): string {
  const columns = kernel.columns.map((number) => plainName(names[number] ?? `$${number}`));
  const lines = kernel.kernel === "row" ? new IrPrinter(columns, kernel.literals).kernel(kernel) : [
    `byteMap ${columns[0]}: string -> string`,
    ...rangesOf(kernel.map).map(({ first, last, by }) =>
      `  ${character(first)} to ${character(last)}: ${by < 0 ? by : `+${by}`}`
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Operators that need no parentheses in sequence. */
const CHAINS: ReadonlySet<BinaryFn> = new Set<BinaryFn>(["+", "&&", "||", "|"]);

class IrPrinter {
  readonly #columns: readonly string[];
  readonly #literals: Uint8Array;

  constructor(columns: readonly string[], literals: Uint8Array) {
    this.#columns = columns;
    this.#literals = literals;
  }

  kernel(kernel: KernelIR & { kernel: "row" }): string[] {
    const { columnTypes, type, canBeNull, tables, scratchWords = 0 } = kernel;
    const columns = this.#columns.map((name, k) => `${name}: ${typeText(columnTypes[k])}`);
    const lines = [
      `row (${columns.join(", ")}) -> ${typeText(type)}${canBeNull ? " or null" : ""}`,
    ];
    if (this.#literals.length > 0) lines.push(`  literals ${quoted(this.#literals)}`);
    tables.forEach((table, k) => lines.push(`  table${k} of ${table.length} entries`));
    if (scratchWords > 0) lines.push(`  scratch of ${scratchWords} words`);
    if (kernel.backward === true) lines.push("  items from the last to the first");
    if (kernel.ascii === true) lines.push("  the text is ASCII");
    return [...lines, ...this.#block(kernel.body)];
  }

  #block(statements: readonly Stmt[]): string[] {
    return statements.flatMap((statement) => this.#statement(statement).map((line) => `  ${line}`));
  }

  #statement(stmt: Stmt): string[] {
    const text = (scalar: Scalar) => this.#scalar(scalar);
    switch (stmt.do) {
      case "let":
        return [`let ${stmt.name}: ${stmt.type} = ${text(stmt.value)}`];
      case "set":
        return [`${stmt.name} = ${text(stmt.value)}`];
      case "if":
        return [
          `if ${text(stmt.test)}`,
          ...this.#block(stmt.then),
          ...(stmt.else.length > 0 ? ["else", ...this.#block(stmt.else)] : []),
        ];
      case "loop":
        return [
          `loop ${stmt.label} while ${text(stmt.test)}`,
          ...(stmt.idiom === undefined ? [] : [`  ; ${this.#idiom(stmt.idiom)}`]),
          ...this.#block(stmt.body),
          ...(stmt.update.length > 0 ? ["update", ...this.#block(stmt.update)] : []),
        ];
      case "block":
        return [`block ${stmt.label}`, ...this.#block(stmt.body)];
      case "break":
      case "continue":
        return [`${stmt.do} ${stmt.label}`];
      case "put":
        return [`put ${text(stmt.byte)}${characterNote(stmt.byte)}`];
      case "copy": {
        const most = stmt.maxBytes === undefined ? "" : ` ; maxBytes ${stmt.maxBytes}`;
        return [`copy ${this.#range(stmt)}${most}`];
      }
      case "repeat":
        return [`repeat ${this.#range(stmt)}, ${text(stmt.count)} times`];
      case "hostCall":
        return [this.#hostCall(stmt)];
      case "checkRepeat":
        return [`checkRepeat ${text(stmt.size)} bytes, ${text(stmt.count)} times`];
      case "store":
        return [`scratch[${text(stmt.at)}] = ${text(stmt.value)}`];
      case "beginItem":
        return [`beginItem of ${text(stmt.bytes)} bytes`];
      case "number":
        return [`number ${text(stmt.value)}`];
      case "result":
        return [`result ${stmt.words.map(text).join(", ")}`];
      case "endItem":
      case "fail":
      case "null":
        return [stmt.do];
    }
  }

  /** Prints the idiom of a loop. */
  #idiom(idiom: LoopIdiom): string {
    switch (idiom.does) {
      case "seek":
        return this.#seek(idiom);
      case "count":
        return this.#count(idiom);
      case "walk":
        return this.#walk(idiom);
      case "match":
        return this.#match(idiom);
      case "follow":
        return this.#follow(idiom);
      case "skip":
        return this.#skip(idiom);
      case "map":
        return this.#map(idiom);
    }
  }

  #seek({ at, last, column, needle, bytes, backward }: Seek): string {
    const found = bytes === null ? this.#range(needle) : quoted(bytes);
    const way = `from ${at} ${backward ? "back" : "on"} to ${this.#scalar(last)}`;
    return `seek ${found} in ${this.#columns[column]} ${way}`;
  }

  #count({ total, at, stop, column }: Count): string {
    return `count characters of ${this.#columns[column]}[${at}, ${
      this.#scalar(stop)
    }) into ${total}`;
  }

  #walk({ at, left, bound, backward, column }: Walk): string {
    const way = `from ${at} ${backward ? "back " : ""}to ${this.#scalar(bound)}`;
    return `walk over ${left} characters of ${this.#columns[column]} ${way}`;
  }

  #match({ offset, size, left, right }: Match): string {
    const [one, other] = [left, right].map(({ space, start }) =>
      `${this.#space(space)} from ${this.#scalar(start)}`
    );
    return `match ${one} and ${other}: ${this.#scalar(size)} bytes, from ${offset} on`;
  }

  #follow({ state, at, stop, column, table, firstOpen }: Follow): string {
    const bytes = `${this.#columns[column]}[${at}, ${this.#scalar(stop)})`;
    return `follow table${table} from ${state} over ${bytes}; states below ${firstOpen} are final`;
  }

  #skip({ at, bound, backward, column, stops }: Skip): string {
    const way = `${backward ? "back" : "on"} to ${this.#scalar(bound)}`;
    return `skip bytes of ${this.#columns[column]} from ${at} ${way} until ${this.#scalar(stops)}`;
  }

  #map({ at, bound, column, stops, value }: MapBytes): string {
    const bytes = `${this.#columns[column]}[${at}, ${this.#scalar(bound)})`;
    const until = isConstant(stops, false) ? "" : ` until ${this.#scalar(stops)}`;
    return `map bytes of ${bytes} to ${this.#scalar(value)}${until}`;
  }

  #hostCall({ name, space, args }: HostCall): string {
    const [start, stop, ...others] = args;
    const isRange = space !== null && start !== undefined && stop !== undefined;
    const range = isRange ? [this.#range({ space, start, stop })] : [];
    const scalars = (isRange ? others : args).map((arg) => this.#scalar(arg));
    return `${name}(${[...range, ...scalars].join(", ")})`;
  }

  #range({ space, start, stop }: ByteRange): string {
    const range = `${this.#space(space)}[${this.#scalar(start)}, ${this.#scalar(stop)})`;
    const isKnown = space.space === "literals" && start.op === "const" && stop.op === "const";
    if (!isKnown) return range;
    return `${range} ${quoted(this.#literals.subarray(Number(start.value), Number(stop.value)))}`;
  }

  #space(space: Space): string {
    return space.space === "literals" ? "literals" : this.#columns[space.column]!;
  }

  #scalar(scalar: Scalar): string {
    const text = (child: Scalar) => this.#scalar(child);
    /** Prints an operand: in parentheses, unless it is one word. */
    const operand = (child: Scalar) =>
      child.op === "binary" || child.op === "select" ? `(${text(child)})` : text(child);
    switch (scalar.op) {
      case "const":
        return `${scalar.value}${SUFFIXES[scalar.type]}`;
      case "local":
        return scalar.name;
      case "unary":
        return /^\w/.test(scalar.fn)
          ? `${scalar.fn}(${text(scalar.value)})`
          : `${scalar.fn}${operand(scalar.value)}`;
      case "convert":
        return `${scalar.fn}.${scalar.type}(${text(scalar.value)})`;
      case "binary": {
        const { fn, left, right } = scalar;
        if (/^\w/.test(fn)) return `${fn}(${text(left)}, ${text(right)})`;
        const isChain = left.op === "binary" && left.fn === fn && CHAINS.has(fn);
        const first = isChain ? text(left) : operand(left);
        const isLess = fn === "+" && right.op === "const" && Number(right.value) < 0;
        return isLess ? `${first} - ${-Number(right.value)}` : `${first} ${fn} ${operand(right)}`;
      }
      case "select":
        return `${operand(scalar.test)} ? ${operand(scalar.yes)} : ${operand(scalar.no)}`;
      case "byte":
        return `${this.#space(scalar.space)}[${text(scalar.at)}]`;
      case "start":
      case "stop":
      case "valid":
      case "bit":
      case "float":
        return `${this.#columns[scalar.column]}.${scalar.op}`;
      case "long":
        return `${this.#columns[scalar.column]}.long${
          scalar.part === undefined ? "" : scalar.part
        }`;
      case "word":
        return `${this.#columns[scalar.column]}.word${scalar.word}`;
      case "hostCall":
        return this.#hostCall(scalar);
      case "itemStart":
      case "itemValid":
        return `${this.#columns[scalar.column]}.${scalar.op}(${text(scalar.at)})`;
      case "table":
        return `table${scalar.table}[${text(scalar.at)}]`;
      case "scratch":
        return `scratch[${text(scalar.at)}]`;
    }
  }
}

/** What follows a constant of each type. */
const SUFFIXES: Readonly<Record<ScalarType, string>> = { i32: "", i64: "n", f64: "f64", bool: "" };

/** Returns a name that needs no quotes as it is, and any other one quoted. */
function plainName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

function quoted(bytes: Uint8Array): string {
  return JSON.stringify(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}

function character(byte: number): string {
  return JSON.stringify(String.fromCharCode(byte));
}

function characterNote(byte: Scalar): string {
  const isAscii = byte.op === "const" && Number(byte.value) >= 0 && Number(byte.value) < 0x80;
  return isAscii ? ` ; ${character(Number(byte.value))}` : "";
}

/** Returns the name of a physical type: `int32`, `list<string>`. */
function typeText(type: ColumnType | undefined): string {
  switch (type?.kind) {
    case undefined:
      return "nothing";
    case "bool":
    case "string":
      return type.kind;
    case "int":
      return `${type.signed ? "" : "u"}int${type.bits}`;
    case "float":
      return `float${type.bits}`;
    case "fixed":
      return `fixed<${type.byteWidth}>`;
    case "list":
      return `list<${typeText(type.item)}>`;
    case "struct":
      return `struct<${type.fields.map(typeText).join(", ")}>`;
  }
}
