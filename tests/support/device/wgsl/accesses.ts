/**
 * What the invocations of a workgroup access, on all paths of an entry point: the functions that it calls
 * are walked in their places, loops until nothing new is accessed in them.
 *
 * A place is told by the code of its index. What a name stands for is not known, but a name is that of
 * one variable in one call; so equal code is the same place, or in a loop one that a single invocation has
 * for itself, unless the code gives neighbours the same place (`lane / 8u`).
 */

import type { Expr, Func, Global, Module, Stmt } from "./ast.ts";

/** The last three are of atomics: `change` reads and writes in one step. */
type AccessKind = "read" | "write" | "load" | "store" | "change";

/** One access of the code, which several invocations may make. */
export interface Access {
  readonly variable: string;
  readonly kind: AccessKind;
  /** Code of the place; empty where the variable has one. */
  readonly index: string;
  /** The only invocation that comes there; null where several may. */
  readonly only: string | null;
  /** The code of the written value; null where there is none, or it is combined with the old one. */
  readonly value: string | null;
}

/** What an entry point accesses. */
interface EntryAccesses {
  /** Accesses of workgroup variables by two invocations with no barrier between them. */
  readonly unordered: readonly (readonly [Access, Access])[];
  /** Accesses of buffers that the entry point may write. */
  readonly stored: readonly Access[];
}

/** Whether no other invocation may see one access of a variable before or after the other. */
type AreApart = (earlier: Access, later: Access) => boolean;

/** Accesses since the last barrier, by all that they are; null where no path comes. */
type Pending = ReadonlyMap<string, Access> | null;

/** Where paths that leave a loop or a function go on. */
interface Exits {
  broken: Pending;
  continued: Pending;
  returned: Pending;
}

/** The code of each name. */
type Names = ReadonlyMap<string, string>;

/** The number of an invocation of its workgroup. */
export const LANE = "lane";

/** The three numbers of which it is the first. */
const LANES = "lanes";

/** A place that the invocation has alone, among as many as there are invocations. */
export const OF_LANE: RegExp = /^\(\(.* \* 256\) \+ lane\)$/;

/** A place that is another one each time that it is asked for. */
const CLAIMED = /^atomicAdd /;

/** Rounds of a loop after which all paths were seen. */
const MAX_ROUNDS = 8;

/** Walks an entry point. Pairs of accesses that are apart are left out. */
export function walkEntry(module: Module, entry: Func, areApart: AreApart): EntryAccesses {
  return new Walk(module, areApart).accessesOf(entry);
}

class Walk {
  readonly #module: Module;
  readonly #areApart: AreApart;
  readonly #shared: ReadonlySet<string>;
  readonly #buffers: ReadonlySet<string>;
  readonly #privates: ReadonlySet<string>;
  readonly #unordered = new Map<string, readonly [Access, Access]>();
  readonly #stored = new Map<string, Access>();
  #pending: Pending = new Map();
  /** The only invocation that is here, if it is one. */
  #only: string | null = null;
  #depth = 0;
  /** Private variables that have the number of the invocation. */
  readonly #lanes = new Set<string>();
  readonly #numbers = new Map<Stmt, number>();
  readonly #calls = new Map<string, number>();

  constructor(module: Module, areApart: AreApart) {
    this.#module = module;
    this.#areApart = areApart;
    const namesOf = (space: Global["space"]) =>
      new Set(
        module.globals.filter((global) => global.space === space && global.isWritable)
          .map(({ name }) => name),
      );
    this.#shared = namesOf("workgroup");
    this.#buffers = namesOf("storage");
    this.#privates = namesOf("private");
  }

  accessesOf(entry: Func): EntryAccesses {
    const names = new Map<string, string>();
    for (const { name, builtin } of entry.params) {
      if (builtin === "local_invocation_index") names.set(name, LANE);
      if (builtin === "local_invocation_id") names.set(name, LANES);
    }
    this.#function(entry, names, "0");
    return { unordered: [...this.#unordered.values()], stored: [...this.#stored.values()] };
  }

  /** Walks a function whose parameters are such code; `call` tells its variables from those of others. */
  #function({ name, body }: Func, names: Names, call: string): void {
    if (++this.#depth > this.#module.functions.size) throw new Error(`${name} calls itself`);
    const exits: Exits = { broken: null, continued: null, returned: null };
    this.#block(body, names, call, exits);
    this.#pending = union(this.#pending, exits.returned);
    this.#depth--;
  }

  #block(body: readonly Stmt[], outer: Names, call: string, exits: Exits): void {
    const only = this.#only;
    const names = new Map(outer);
    for (const stmt of body) this.#statement(stmt, names, call, exits);
    this.#only = only;
  }

  #statement(stmt: Stmt, names: Map<string, string>, call: string, exits: Exits): void {
    const visit = (expr: Expr) => this.#expr(expr, names, call);
    switch (stmt.do) {
      case "let": {
        const value = stmt.value === null ? "" : visit(stmt.value);
        const isPlace = value === LANE || OF_LANE.test(value) || CLAIMED.test(value);
        names.set(stmt.name, !stmt.isVar && isPlace ? value : this.#local(stmt, call));
        return;
      }
      case "assign": {
        const value = visit(stmt.value);
        if (stmt.op !== "=") visit(stmt.to);
        const place = placeOf(stmt.to);
        if (place === null) return;
        this.#access("write", place.name, place.index === null ? "" : visit(place.index), value);
        if (this.#privates.has(place.name) && value === LANE) this.#lanes.add(place.name);
        return;
      }
      case "call":
        visit(stmt.call);
        return;
      case "if":
        return this.#if(stmt, names, call, exits);
      case "loop":
        return this.#loop(stmt, names, call, exits);
      case "switch":
        return this.#switch(stmt, names, call, exits);
      case "return":
        if (stmt.value !== null) visit(stmt.value);
        exits.returned = union(exits.returned, this.#pending);
        break;
      case "break":
        exits.broken = union(exits.broken, this.#pending);
        break;
      case "continue":
        exits.continued = union(exits.continued, this.#pending);
        break;
    }
    this.#pending = null;
  }

  #if(stmt: Stmt & { do: "if" }, names: Names, call: string, exits: Exits): void {
    this.#expr(stmt.test, names, call);
    const [before, only] = [this.#pending, this.#only];
    this.#only = this.#onlyWhere(stmt.test, names, "==") ?? only;
    this.#block(stmt.then, names, call, exits);
    const after = this.#pending;
    this.#pending = before;
    this.#only = this.#onlyWhere(stmt.test, names, "!=") ?? only;
    this.#block(stmt.else, names, call, exits);
    // Where the others have left, one invocation goes on to the end of the block.
    if (after !== null) this.#only = only;
    this.#pending = union(this.#pending, after);
  }

  #loop(stmt: Stmt & { do: "loop" }, outer: Names, call: string, exits: Exits): void {
    const names = new Map(outer);
    for (const first of stmt.first) this.#statement(first, names, call, exits);
    const inner: Exits = { ...exits, broken: null, continued: null };
    let head = this.#pending;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.#pending = head;
      if (stmt.test !== null) {
        this.#expr(stmt.test, names, call);
        inner.broken = union(inner.broken, this.#pending);
      }
      this.#block(stmt.body, names, call, inner);
      this.#pending = union(this.#pending, inner.continued);
      this.#block(stmt.update, names, call, inner);
      const next = union(head, this.#pending);
      if (next?.size === head?.size) break;
      head = next;
    }
    exits.returned = inner.returned;
    this.#pending = inner.broken;
  }

  #switch(stmt: Stmt & { do: "switch" }, names: Names, call: string, exits: Exits): void {
    this.#expr(stmt.value, names, call);
    const before = this.#pending;
    const inner: Exits = { ...exits, broken: null };
    let after: Pending = null;
    for (const { body } of stmt.cases) {
      this.#pending = before;
      this.#block(body, names, call, inner);
      after = union(after, this.#pending);
    }
    exits.continued = inner.continued;
    exits.returned = inner.returned;
    this.#pending = union(after, inner.broken);
  }

  /** Visits what an expression accesses; returns its code. */
  #expr(expr: Expr, names: Names, call: string): string {
    const visit = (inner: Expr) => this.#expr(inner, names, call);
    switch (expr.at) {
      case "literal":
        return String(expr.value);
      case "name":
        this.#access("read", expr.name, "", null);
        return this.#lanes.has(expr.name) ? LANE : names.get(expr.name) ?? expr.name;
      case "unary":
        return `${expr.op}${visit(expr.of)}`;
      case "binary":
        return `(${visit(expr.left)} ${expr.op} ${visit(expr.right)})`;
      case "member": {
        const code = visit(expr.of);
        return code === LANES && expr.name === "x" ? LANE : `${code}.${expr.name}`;
      }
      case "index": {
        const index = visit(expr.index);
        if (expr.of.at !== "name") return `${visit(expr.of)}[${index}]`;
        this.#access("read", expr.of.name, index, null);
        return `${names.get(expr.of.name) ?? expr.of.name}[${index}]`;
      }
      case "call":
        return this.#called(expr, names, call);
    }
  }

  #called({ name, args }: Expr & { at: "call" }, names: Names, call: string): string {
    // A uniform load waits for all invocations before it loads the value, and again afterwards.
    if (name === "workgroupBarrier" || name === "workgroupUniformLoad") {
      if (this.#pending !== null) this.#pending = new Map();
      return name;
    }
    const [target, ...others] = args;
    if (name.startsWith("atomic") && target?.at === "unary") {
      const [value = null] = others.map((arg) => this.#expr(arg, names, call));
      const place = placeOf(target.of)!;
      const index = place.index === null ? "" : this.#expr(place.index, names, call);
      const kind = name === "atomicLoad" ? "load" : name === "atomicStore" ? "store" : "change";
      this.#access(kind, place.name, index, kind === "store" ? value : null);
      return `${name} ${place.name}[${index}]`;
    }
    const codes = args.map((arg) => this.#expr(arg, names, call));
    const called = this.#module.functions.get(name);
    if (called !== undefined && leavesGaps(called)) return codes[0]!;
    if (called !== undefined) {
      const params = new Map(called.params.map((param, k) => [param.name, codes[k]!]));
      this.#function(called, params, this.#call(`${call} ${name} ${codes.join(",")}`));
    }
    return `${name}(${codes.join(", ")})`;
  }

  #access(kind: AccessKind, variable: string, index: string, value: string | null): void {
    const access = { variable, kind, index, only: this.#only, value };
    const key = [kind, variable, index, this.#only, value].join(" ");
    if (this.#buffers.has(variable)) this.#stored.set(key, access);
    if (!this.#shared.has(variable) || this.#pending === null) return;
    this.#pending = new Map(this.#pending).set(key, access);
    // It may be made by two invocations, too.
    for (const [earlier, other] of this.#pending) {
      if (other.variable !== variable || this.#areApart(other, access)) continue;
      this.#unordered.set(`${earlier}, ${key}`, [other, access]);
    }
  }

  /** The invocation for which a test is true (`==`), or false, and for no other one. */
  #onlyWhere(test: Expr, names: Names, op: "==" | "!="): string | null {
    if (test.at !== "binary") return null;
    if (test.op === (op === "==" ? "&&" : "||")) {
      return this.#onlyWhere(test.left, names, op) ?? this.#onlyWhere(test.right, names, op);
    }
    if (test.op !== op || test.right.at !== "literal") return null;
    const isLane = this.#expr(test.left, names, "") === LANE;
    return isLane ? String(test.right.value) : null;
  }

  /** The name of a variable, which is that of no other one, nor of one of another call. */
  #local(stmt: Stmt & { do: "let" }, call: string): string {
    let number = this.#numbers.get(stmt);
    if (number === undefined) this.#numbers.set(stmt, number = this.#numbers.size);
    return `${stmt.name}#${number}.${call}`;
  }

  /** The number of a call, which is that of no other place or arguments. */
  #call(code: string): string {
    let number = this.#calls.get(code);
    if (number === undefined) this.#calls.set(code, number = this.#calls.size + 1);
    return String(number);
  }
}

/** Whether a function leaves places out, `x + x / 32u`: other places stay others, and equal ones equal. */
function leavesGaps({ params, body }: Func): boolean {
  const [param] = params;
  const [only] = body;
  if (params.length !== 1 || body.length !== 1 || only?.do !== "return") return false;
  const isParam = (expr: Expr) => expr.at === "name" && expr.name === param!.name;
  const sum = only.value;
  if (sum?.at !== "binary" || sum.op !== "+" || !isParam(sum.left)) return false;
  const { right } = sum;
  return right.at === "binary" && right.op === "/" && isParam(right.left) &&
    right.right.at === "literal";
}

/** The variable that an expression is a place of. */
function placeOf(expr: Expr): { name: string; index: Expr | null } | null {
  switch (expr.at) {
    case "name":
      return { name: expr.name, index: null };
    case "index": {
      const place = placeOf(expr.of);
      return place && { name: place.name, index: place.index ?? expr.index };
    }
    case "member":
      return placeOf(expr.of);
    default:
      return null;
  }
}

function union(a: Pending, b: Pending): Pending {
  if (a === null || b === null || a === b) return a ?? b;
  return new Map([...a, ...b]);
}
