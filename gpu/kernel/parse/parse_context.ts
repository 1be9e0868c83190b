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

/** What a name in the source refers to. */
export type Binding =
  | { readonly is: "sink" }
  /** The last parameter: an object with what the spec declares. */
  | { readonly is: "given" }
  | { readonly is: "constant"; readonly name: string; readonly value: ParsedConst }
  | { readonly is: "state" }
  /** A list; `name` is its parameter in the checked code. */
  | { readonly is: "list"; readonly name: string }
  | {
    readonly is: "value";
    readonly type: RowType;
    /** The name in the checked code, which is unique. */
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
  /** Whether it is a helper: a measure or an emit without a text. */
  readonly isHelper: boolean;
  /** Whether it makes the items of a list from the last to the first. */
  readonly backward: boolean;
  readonly consts: Readonly<Record<string, ParsedConst>>;
  /** The name of the text or the character in the checked code. */
  subject: string | null = null;
  subjectHigh: string | null = null;
  /** The names of the text and the position of a map that looks. */
  readonly look: { text: string | null; at: string | null } = { text: null, at: null };
  returnsNull = false;
  /** Why only the host can run it. */
  hostOnly: string | undefined;
  canEnd = false;
  weight = 0;
  sinkSites = 0;
  /** Whether the function or one of its helpers stores into scratch. */
  stores = false;
  /** The constants of the last parameter, by their names in the spec. */
  readonly given: Map<string, Binding> = new Map();
  /** Locals that keep their values from character to character, by the name in the source. */
  readonly state: Map<string, { readonly name: string; readonly initial: number }> = new Map();
  /** Locals that start as an integer literal, and so may turn out to be floats. */
  readonly adaptable: Set<string> = new Set();
  /** Those of them that are known to be floats. */
  readonly floats: ReadonlySet<string>;
  /** Whether it asks a list for the text of its items. */
  readsItems = false;
  #scopes: Map<string, Binding>[] = [new Map()];
  readonly #taken = new Set<string>();

  constructor(
    source: RowSource,
    spec: RowFunctionSpec,
    isHelper: boolean,
    consts: Readonly<Record<string, ParsedConst>>,
    floats: ReadonlySet<string>,
  ) {
    this.source = source;
    this.kind = spec.kind;
    this.returns = resultOf(spec);
    this.isHelper = isHelper;
    this.consts = consts;
    this.floats = floats;
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

  /** Returns a name for the checked code that is unique in the function. */
  unique(name: string): string {
    let unique = name;
    for (let i = 2; this.#taken.has(unique); i++) unique = `${name}_${i}`;
    this.#taken.add(unique);
    return unique;
  }
}
