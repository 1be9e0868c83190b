/**
 * The names that are in scope while a row function is parsed, and the errors that point into its
 * source.
 *
 * @module
 */

import type { Node } from "acorn";
import type { RowType } from "./row_code.ts";
import {
  type ParsedConst,
  resultOf,
  type RowFunctionSpec,
  type RowKind,
  type RowResult,
} from "../language/row_function.ts";
import type { RowSource } from "./row_source.ts";

/** The meaning of a name of the source. */
export type Binding =
  | { readonly is: "sink" }
  /** The last parameter: an object of what the spec declares. */
  | { readonly is: "given" }
  | { readonly is: "constant"; readonly name: string; readonly value: ParsedConst }
  | { readonly is: "state" }
  /** A list; `name` is that of the parameter in the checked code. */
  | { readonly is: "list"; readonly name: string }
  | {
    readonly is: "value";
    readonly type: RowType;
    /** The name in the checked code; unique. */
    readonly name: string;
    /** view: the parameter that it is a part of. */
    readonly root?: string;
    readonly constant: boolean;
  };

/** Prints the names of the last parameter as a pattern: `{ target, limit }`. */
export function namesOf(given: ReadonlyMap<string, unknown>): string {
  return `{ ${[...given.keys()].join(", ")} }`;
}

/** State while one row function is parsed: scopes, names, and what the code costs. */
export class ParseContext {
  readonly source: RowSource;
  readonly kind: RowKind;
  readonly returns: RowResult;
  /** Whether it is a helper: a measure without a text, or an emit without one. */
  readonly isHelper: boolean;
  /** Whether it gives the items of a list from the last to the first. */
  readonly backward: boolean;
  readonly consts: Readonly<Record<string, ParsedConst>>;
  /** Name of the text or the character in the checked code. */
  subject: string | null = null;
  subjectHigh: string | null = null;
  /** Names of the text and the position of a map that looks. */
  readonly look: { text: string | null; at: string | null } = { text: null, at: null };
  returnsNull = false;
  /** Why only the host can run it. */
  hostOnly: string | undefined;
  canEnd = false;
  weight = 0;
  sinkSites = 0;
  /** Whether the function or a helper of it stores into scratch. */
  stores = false;
  /** The constants of the last parameter, by their names in the spec. */
  readonly given: Map<string, Binding> = new Map();
  /** Locals for what lives from character to character, by the name in the source. */
  readonly state: Map<string, { readonly name: string; readonly initial: number }> = new Map();
  /** Whether it asks a list for the text of its items. */
  readsItems = false;
  #scopes: Map<string, Binding>[] = [new Map()];
  readonly #taken = new Set<string>();

  constructor(
    source: RowSource,
    spec: RowFunctionSpec,
    isHelper: boolean,
    consts: Readonly<Record<string, ParsedConst>>,
  ) {
    this.source = source;
    this.kind = spec.kind;
    this.returns = resultOf(spec);
    this.isHelper = isHelper;
    this.consts = consts;
    this.backward = spec.backward ?? false;
  }

  /** Whether the function writes to a sink and returns nothing. */
  get writes(): boolean {
    return this.kind === "map" || this.kind === "emit" || this.kind === "list";
  }

  fail(node: Pick<Node, "start" | "end">, message: string): never {
    return this.source.fail(node, message);
  }

  lookup(name: string): Binding | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const binding = this.#scopes[i]?.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  bind(name: string, binding: Binding): void {
    this.#scopes.at(-1)?.set(name, binding);
  }

  /** Runs `body` in a scope of its own. */
  scoped<T>(body: () => T): T {
    this.#scopes.push(new Map());
    const result = body();
    this.#scopes.pop();
    return result;
  }

  /** A name for the checked code that no other name of the function has. */
  unique(name: string): string {
    let unique = name;
    for (let i = 2; this.#taken.has(unique); i++) unique = `${name}_${i}`;
    this.#taken.add(unique);
    return unique;
  }
}
