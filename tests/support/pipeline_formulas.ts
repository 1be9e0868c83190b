/**
 * Random expressions, each with a function that computes the same from a plain row.
 *
 * @module
 */

import type { Columns, Kind, Row } from "./pipeline_tables.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** An expression over some columns, and its value for a row. */
export interface Formula {
  readonly text: string;
  readonly kind: Kind;
  value(row: Row): unknown;
}

/** Names of the columns of a kind. */
export function namesOf(columns: Columns, kind: Kind): string[] {
  return [...columns.keys()].filter((name) => columns.get(name) === kind);
}

const or = <T, R>(value: T | null, then: (value: T) => R): R | null =>
  value === null ? null : then(value);
const text = (row: Row, name: string) => row[name] as string | null;
const int = (row: Row, name: string) => row[name] as number | null;

/** A formula over the columns of a table. */
export function randomFormula(random: SeededRandom, columns: Columns): Formula {
  const texts = namesOf(columns, "text");
  const ints = namesOf(columns, "int");
  const bools = namesOf(columns, "bool");
  const [a, b, i, j] = [
    random.pick(texts),
    random.pick(texts),
    random.pick(ints),
    random.pick(ints),
  ];
  const flag = random.pick(bools);
  const any = random.pick([...columns.keys()]);
  const formulas: Formula[] = [];
  const add = (text: string, kind: Kind, value: Formula["value"]) =>
    formulas.push({ text, kind, value });
  add(`${any}.isNull()`, "bool", (row) => row[any] === null);
  if (a !== undefined && b !== undefined) {
    add(`${a}.upper()`, "text", (row) => or(text(row, a), (value) => value.toUpperCase()));
    add(
      `${a} + " > " + ${b}`,
      "text",
      (row) => or(text(row, a), (left) => or(text(row, b), (right) => `${left} > ${right}`)),
    );
    add(
      `${a}.slice(1, 3)`,
      "text",
      (row) => or(text(row, a), (value) => [...value].slice(1, 3).join("")),
    );
    add(
      `${a}.splitPart(" ", 1)`,
      "text",
      (row) => or(text(row, a), (value) => value.split(" ")[1] ?? null),
    );
    add(`${a}.fillNull("none")`, "text", (row) => text(row, a) ?? "none");
    add(`${a}.length()`, "int", (row) => or(text(row, a), (value) => [...value].length));
    add(`${a}.contains("a")`, "bool", (row) => or(text(row, a), (value) => value.includes("a")));
    add(
      `${a} == ${b}`,
      "bool",
      (row) => or(text(row, a), (left) => or(text(row, b), (right) => left === right)),
    );
    add(`${a}`, "text", (row) => row[a]);
    add(`${a}.split(" ")`, "list", (row) => or(text(row, a), (value) => value.split(" ")));
    add(
      `${a}.ngrams(2)`,
      "list",
      (row) =>
        or(text(row, a), (value) => {
          const chars = [...value];
          return chars.slice(1).map((char, at) => `${chars[at]}${char}`);
        }),
    );
  }
  if (i !== undefined && j !== undefined) {
    add(`${i} > 3`, "bool", (row) => or(int(row, i), (value) => value > 3));
    add(
      `${i} + ${j}`,
      "int",
      (row) => or(int(row, i), (left) => or(int(row, j), (right) => left + right)),
    );
    add(`${i} == 1 ? ${j} : 7`, "int", (row) => int(row, i) === 1 ? int(row, j) : 7);
  }
  const list = random.pick(namesOf(columns, "list"));
  if (list !== undefined) {
    const items = (row: Row) => row[list] as readonly (string | null)[] | null;
    const present = (texts: readonly (string | null)[]) => texts.filter((text) => text !== null);
    add(`${list}.join("-")`, "text", (row) => or(items(row), (texts) => present(texts).join("-")));
    add(`${list}.get(1)`, "text", (row) => or(items(row), (texts) => texts[1] ?? null));
    add(`${list}.length()`, "int", (row) => or(items(row), (texts) => texts.length));
  }
  if (flag !== undefined) {
    add(`!${flag}`, "bool", (row) => or(row[flag] as boolean | null, (value) => !value));
    if (a !== undefined) {
      add(`${flag} ? ${a} : "no"`, "text", (row) => row[flag] === true ? text(row, a) : "no");
    }
  }
  return random.pick(formulas);
}
