/**
 * Prints statements of the IR as JavaScript.
 *
 * @module
 */

import { COPY_ROOM, spaceName } from "../host/calling_convention.ts";
import { BIT, PLACE } from "./null_rows.ts";
import { hostArguments, scalarText, viewText } from "./scalar.ts";
import type { KnownSeek, RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { isTextList } from "../../../column/column.ts";
import { knownSeek } from "../../ir/loop_idiom.ts";
import { putsAt, visit } from "../../ir/visit.ts";
import { binary, constantOf, sameScalar } from "../../ir/scalar.ts";

/** The most bytes that two words of 8 can copy. */
const MAX_SHORT_COPY = 16;

/** The bytes from which a repetition is worth a call; below, a loop is fastest. */
const MIN_CALLED_REPEAT = 12;

/** Prints the statements of one row. */
export class StatementPrinter {
  readonly lines: string[] = [];
  /** The state of searches that outlives a row: declarations before all rows. */
  readonly cursors: string[] = [];
  /** The indices of the cursors, by column and needle. */
  readonly #cursorNumbers = new Map<string, number>();
  readonly #kernel: RowKernel;
  readonly #assigned = new Set<string>();
  /** The values of the locals that never change. */
  readonly #definitions = new Map<string, Scalar>();
  /** The loops whose rounds are blocks of their own. */
  readonly #rounds = new Set<string>();
  readonly #computesNulls: boolean;
  #indent: number;

  /** `computesNulls` says whether null rows are computed, too (null_rows.ts). */
  constructor(kernel: RowKernel, indent: number, computesNulls = false) {
    this.#kernel = kernel;
    this.#indent = indent;
    this.#computesNulls = computesNulls;
    visit(kernel.body, {
      stmt: (stmt) => {
        if (stmt.do === "set") this.#assigned.add(stmt.name);
        if (stmt.do === "let") this.#definitions.set(stmt.name, stmt.value);
      },
    });
    for (const name of this.#assigned) this.#definitions.delete(name);
  }

  print(statements: readonly Stmt[]): void {
    for (let index = 0; index < statements.length; index++) {
      const statement = statements[index];
      if (statement === undefined) return;
      if (statement.do === "put") {
        const puts = putsAt(statements, index);
        this.#puts(puts);
        index += puts.length - 1;
      } else {
        this.#statement(statement);
      }
    }
  }

  #line(text: string): void {
    this.lines.push("  ".repeat(this.#indent) + text);
  }

  #nested(statements: readonly Stmt[]): void {
    this.#indent++;
    this.print(statements);
    this.#indent--;
  }

  #statement(statement: Exclude<Stmt, { do: "put" }>): void {
    const { type } = this.#kernel;
    const { kind } = type;
    switch (statement.do) {
      case "let": {
        const keyword = this.#assigned.has(statement.name) ? "let" : "const";
        return this.#line(`${keyword} ${statement.name} = ${scalarText(statement.value)};`);
      }
      case "set":
        return this.#line(`${statement.name} = ${scalarText(statement.value)};`);
      case "if":
        return this.#if(statement);
      case "loop":
        return this.#loop(statement);
      case "block":
        this.#line(`$${statement.label}: {`);
        this.#nested(statement.body);
        return this.#line("}");
      case "break":
        return this.#line(`break $${statement.label};`);
      case "continue":
        return this.#line(
          this.#rounds.has(statement.label)
            ? `break $${statement.label}_round;`
            : `continue $${statement.label};`,
        );
      case "copy":
        return this.#copy(statement);
      case "hostCall": {
        const call = `$${statement.name}($out, $size, ${hostArguments(statement)})`;
        return this.#line(`$size += ${call};`);
      }
      case "repeat":
        return this.#repeat(statement);
      case "checkRepeat": {
        const { size, count } = statement;
        return this.#line(
          `$checkRepeat(${scalarText(size)}, ${scalarText(count)}, $row, $size - $begin);`,
        );
      }
      case "store": {
        const { at, value } = statement;
        return this.#line(`$scratch[${scalarText(at)}] = ${scalarText(value)};`);
      }
      case "beginItem":
        // `$turn` reverses the order of the items at the end of the row.
        return;
      case "endItem":
        return this.#line("$ends[++$count] = $size;");
      case "number":
        return this.#line(`$numbers[$count++] = ${scalarText(statement.value)};`);
      case "result":
        return this.#result(statement);
      case "fail":
        return this.#line("$fail();");
      case "null":
        this.#line("$nulls++;");
        this.#line("$validity[$row >> 3] &= ~(1 << ($row & 7));");
        if (kind === "string" || isTextList(type)) this.#line("$size = $begin;");
        if (kind === "list") this.#line("$count = $first;");
        return this.#line("break $body;");
    }
  }

  #if(statement: Stmt & { do: "if" }): void {
    this.#line(`if (${scalarText(statement.test)}) {`);
    this.#nested(statement.then);
    if (statement.else.length > 0) {
      this.#line("} else {");
      this.#nested(statement.else);
    }
    this.#line("}");
  }

  /**
   * Prints a search that continues where the previous one ended, even in another row: the text from
   * `$seen` to `$hit` has no hit, and `$hit` is the next one, or the complement of the end of the
   * text without one.
   */
  #seek({ at, last, column, bytes }: KnownSeek): void {
    const key = `${column} ${bytes}`;
    let number = this.#cursorNumbers.get(key);
    if (number === undefined) {
      this.#cursorNumbers.set(key, number = this.#cursorNumbers.size);
      this.cursors.push(
        `const $end${number} = $offsets${column}[$rows];`,
        ...(bytes.length > 1 ? [`const $needle${number} = [${bytes}];`] : []),
        `let $seen${number} = 0, $hit${number} = -1;`,
      );
    }
    const seen = `$seen${number}`;
    const hit = `$hit${number}`;
    const limit = scalarText(last, Infinity);
    const view = viewText({ space: "column", column });
    this.#line(`if (${at} < ${seen} || (${hit} < 0 ? ~${hit} <= ${limit} : ${hit} < ${at})) {`);
    this.#line(`  ${seen} = ${at};`);
    const [search, needle] = bytes.length > 1
      ? ["$seekBytes", `$needle${number}`]
      : ["$seekByte", bytes[0]];
    this.#line(`  ${hit} = ${search}(${view}, ${at}, ${limit}, $end${number}, ${needle});`);
    this.#line("}");
    this.#line(`${at} = ${hit} < 0 ? ${limit} + 1 : ${hit};`);
  }

  #loop(loop: Stmt & { do: "loop" }): void {
    const seek = knownSeek(loop);
    if (seek !== null) return this.#seek(seek);
    const { label, test, body, update } = loop;
    const updates = update.map((item) =>
      item.do === "set" ? `${item.name} = ${scalarText(item.value)}` : null
    );
    if (!updates.includes(null)) {
      this.#line(`$${label}: for (; ${scalarText(test)}; ${updates.join(", ")}) {`);
      this.#nested(body);
      return this.#line("}");
    }
    // If the update is more than assignments, `continue` leaves a block that the update follows.
    this.#line(`$${label}: while (${scalarText(test)}) {`);
    this.#indent++;
    this.#line(`$${label}_round: {`);
    this.#rounds.add(label);
    this.#nested(body);
    this.#line("}");
    this.print(update);
    this.#indent--;
    this.#line("}");
  }

  #puts(puts: readonly (Stmt & { do: "put" })[]): void {
    puts.forEach(({ byte }, index) => {
      this.#line(`$out[$size${index > 0 ? ` + ${index}` : ""}] = ${scalarText(byte)};`);
    });
    this.#line(puts.length === 1 ? "$size++;" : `$size += ${puts.length};`);
  }

  #copy({ space, start, stop, maxBytes = Infinity }: Stmt & { do: "copy" }): void {
    if (this.#isAtMostOne(binary("-", stop, start))) {
      // Without a branch: an extra byte is overwritten later, or is past the end.
      this.#line(`$out[$size] = ${spaceName(space)}[${scalarText(start)}];`);
      return this.#line(`$size += ${scalarText(binary("-", stop, start))};`);
    }
    // Copies whole words, whatever the size, if both sides have the spare bytes: a loop over a few
    // bytes takes twice as long. Extra bytes are overwritten later, or are past the end.
    const view = viewText(space);
    const word = (offset: number) => {
      const place = (from: string) => offset === 0 ? from : `${from} + ${offset}`;
      const value = `${view}.getBigInt64(${place("$from")}, true)`;
      return `$view.setBigInt64(${place("$size")}, ${value}, true);`;
    };
    const isShort = maxBytes <= MAX_SHORT_COPY;
    const room = isShort ? MAX_SHORT_COPY : COPY_ROOM;
    const hasRoom = [
      ...(isShort ? [] : [`$bytes <= ${COPY_ROOM}`]),
      `$size + ${room} <= $capacity`,
      `$from + ${room} <= ${view}.byteLength`,
    ];
    this.#line("{");
    this.#indent++;
    this.#line(`const $from = ${scalarText(start)};`);
    this.#line(`const $bytes = ${scalarText(binary("-", stop, start))};`);
    this.#line(`if (${hasRoom.join(" && ")}) {`);
    for (const offset of [0, 8]) this.#line(`  ${word(offset)}`);
    if (!isShort) {
      this.#line(`  if ($bytes > ${MAX_SHORT_COPY}) {`);
      for (const offset of [16, 24]) this.#line(`    ${word(offset)}`);
      this.#line("  }");
    }
    this.#line("} else {");
    this.#line(`  $copy($view, $size, ${view}, $from, $bytes);`);
    this.#line("}");
    this.#line("$size += $bytes;");
    this.#indent--;
    this.#line("}");
  }

  #repeat({ space, start, stop, count }: Stmt & { do: "repeat" }): void {
    const source = spaceName(space);
    const isByte = constantOf(binary("-", stop, start)) === 1;
    this.#line("{");
    this.#indent++;
    this.#line(`const $from = ${scalarText(start)}, $to = ${scalarText(stop)};`);
    this.#line(`const $times = ${scalarText(count)};`);
    if (isByte) {
      this.#line(`if ($times < ${MIN_CALLED_REPEAT}) {`);
      this.#line(`  const $byte = ${source}[$from];`);
      this.#line("  for (const $end = $size + $times; $size < $end; $size++) $out[$size] = $byte;");
    } else {
      this.#line(`if (($to - $from) * $times < ${MIN_CALLED_REPEAT}) {`);
      this.#line("  for (let $left = $from < $to ? $times : 0; $left > 0; $left--) {");
      this.#line(`    for (let $at = $from; $at < $to; $at++) $out[$size++] = ${source}[$at];`);
      this.#line("  }");
    }
    this.#line("} else {");
    this.#line(
      `  $size = $repeat($view, $size, ${viewText(space)}, $from, $to, $times, $row, $begin);`,
    );
    this.#line("}");
    this.#indent--;
    this.#line("}");
  }

  /** Whether a size is 0 or 1, like that of the first character of ASCII text. */
  #isAtMostOne(size: Scalar): boolean {
    if (size.op === "const") return Number(size.value) <= 1;
    if (size.op === "local") {
      const definition = this.#definitions.get(size.name);
      return definition !== undefined && this.#isAtMostOne(definition);
    }
    if (size.op !== "select" || size.test.op !== "binary") return false;
    const { fn, left, right } = size.test;
    const isMinimum = fn === "<" && sameScalar(left, size.yes) && sameScalar(right, size.no) ||
      fn === ">" && sameScalar(left, size.no) && sameScalar(right, size.yes);
    return isMinimum && (this.#isAtMostOne(size.yes) || this.#isAtMostOne(size.no));
  }

  #result({ words }: Stmt & { do: "result" }): void {
    const { type } = this.#kernel;
    const [value] = words;
    const place = this.#computesNulls ? PLACE : "$row";
    if (value?.type === "f64" && mayBeNaN(value)) return this.#floatResult(value, place);
    const [first, ...more] = words.map((word) => scalarText(word));
    if (type.kind === "bool") {
      // Without a branch, which would wait for the value and often be mispredicted.
      const bit = this.#computesNulls ? `((${first} | 0) & ${BIT})` : `(${first} | 0)`;
      this.#line(`$result[$row >> 3] |= ${bit} << ($row & 7);`);
    } else if (more.length > 0) {
      const row = `${words.length} * ${place}`;
      this.#line(`$result[${row}] = ${first};`);
      more.forEach((word, index) => this.#line(`$result[${row} + ${index + 1}] = ${word};`));
    } else {
      this.#line(`$result[${place}] = ${first};`);
    }
  }

  /** Processors differ in the bits of the NaN that they compute: there is one in a result. */
  #floatResult(value: Scalar, place: string): void {
    const name = value.op === "local" ? value.name : "$value";
    if (value.op !== "local") this.#line(`const ${name} = ${scalarText(value)};`);
    this.#line(`$result[${place}] = ${name};`);
    // Storing a choice between both instead would take three times as long.
    this.#line(`if (${name} !== ${name}) $result[${place}] = NaN;`);
  }
}

/** Whether an f64 may be NaN. */
function mayBeNaN(value: Scalar): boolean {
  if (value.op === "const") return Number.isNaN(value.value);
  if (value.op === "select") return mayBeNaN(value.yes) || mayBeNaN(value.no);
  return value.op !== "convert";
}
