/**
 * Notes the pieces that a row appends in sequence, each at most once. Counting notes the pieces,
 * and storing only copies them, so a row searches its text once.
 *
 * @module
 */

import { type AppendPrinter, countAppends, knownBytes, storeAppends } from "../print/append.ts";
import { localName, printScalar } from "../print/scalar.ts";
import type { RowKernel, Scalar, Stmt } from "../../../ir/ir.ts";
import { scalarKey } from "../../../ir/scalar.ts";
import { bodiesOf, mapScalars } from "../../../ir/visit.ts";

type Literals = Pick<RowKernel, "literals">;

/**
 * The most pieces of text, and the most numbers about them, that a row keeps between counting and
 * storing.
 */
const MAX_PIECES = 32;
const MAX_PLACES = 12;

/** The notes of a row. */
export class NotedPieces {
  readonly #kernel: Literals;
  /** The printed stores of each piece. */
  readonly #pieces: string[][] = [];
  /** The names of the noted numbers. */
  readonly #places: string[] = [];
  readonly #bounds = new Map<string, Scalar>();

  constructor(kernel: Literals) {
    this.#kernel = kernel;
  }

  /** Prints appends as counting code, and notes them. */
  readonly count: AppendPrinter = (appends) => {
    const notes = [`row_pieces |= ${2 ** this.#pieces.length}u;`];
    const noted = appends.map((stmt) => mapScalars(stmt, (scalar) => this.#note(scalar, notes)));
    this.#pieces.push(storeAppends(this.#kernel)(noted));
    return [...notes, ...countAppends(this.#kernel)(appends)];
  };

  /** Prints the state that counting leaves for storing. */
  printState(): string {
    const places = this.#places.map((name) => `var<private> ${name}: i32;\n`);
    return `\n// Which pieces the row has, and where they lie.\n` +
      `var<private> row_pieces: u32;\n${places.join("")}`;
  }

  /** Prints the function that stores a counted row. */
  printStoring(): string {
    const pieces = this.#pieces.map((lines, k) => `
  if ((row_pieces & ${2 ** k}u) != 0u) {
    ${lines.join("\n    ")}
  }`);
    return `\nfn store_row(index: u32) {${pieces.join("")}\n}\n`;
  }

  #note(scalar: Scalar, notes: string[]): Scalar {
    if (scalar.op === "const") return scalar;
    // The bounds of the row's text are noted once.
    const isBound = scalar.op === "start" || scalar.op === "stop";
    const key = scalarKey(scalar);
    const known = isBound ? this.#bounds.get(key) : undefined;
    const place: Scalar = known ??
      { op: "local", type: "i32", name: `row$place${this.#places.length}` };
    if (known === undefined) this.#places.push(localName((place as { name: string }).name));
    if (isBound) this.#bounds.set(key, place);
    notes.push(`${printScalar(place)} = ${printScalar(scalar)};`);
    return place;
  }
}

/** Whether the appends of a row are few, and none of them in a loop, so that they can be noted. */
export function isNoted(kernel: Pick<RowKernel, "literals" | "body">): boolean {
  const appends: Stmt[] = [];
  const isListed = (statements: readonly Stmt[], isLooped: boolean): boolean =>
    statements.every((stmt) => {
      if (stmt.do === "put" || stmt.do === "copy") return appends.push(stmt) > 0 && !isLooped;
      return bodiesOf(stmt).every((inner) => isListed(inner, isLooped || stmt.do === "loop"));
    });
  if (!isListed(kernel.body, false) || appends.length > MAX_PIECES) return false;
  const places = appends.reduce((sum, stmt) => sum + numPlaces(stmt, kernel), 0);
  return places <= MAX_PLACES;
}

function numPlaces(stmt: Stmt, kernel: Literals): number {
  if (knownBytes(stmt, kernel) !== null) return 0;
  if (stmt.do === "put") return 1;
  if (stmt.do !== "copy") return 0;
  return [stmt.start, stmt.stop].filter((scalar) => scalar.op !== "const").length;
}
