/**
 * The body of a row function after parsing: typed, checked, and with unique names. `statement.ts`
 * makes it, `lower/` inlines it into kernels, and `fold/interpret.ts` runs it at compile time.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { HostFunction } from "../language/host_functions.ts";
import type { BinaryFn, UnaryFn } from "../ir/ir.ts";
import type { IntrinsicName } from "../language/intrinsics.ts";
import type { ArgType, ParsedConst, RowFunction, SubjectType } from "../language/row_function.ts";

/** The type of an expression of the language. */
export type RowType = "i32" | "i64" | "bool" | "view" | "f64";

/** Returns the type that an argument or a subject has in the code. */
export function typeInside(type: ArgType | SubjectType): RowType {
  switch (type) {
    case "string":
      return "view";
    case "i64":
    case "u64":
    case "i128":
      return "i64";
    case "bool":
    case "f64":
      return type;
    default:
      return "i32";
  }
}

/** The parameters and the result of a method; a property has neither parameters nor brackets. */
export interface Method {
  readonly takes: readonly RowType[] | null;
  readonly gives: RowType;
}

/** The methods and properties of a view. */
export const VIEW_METHODS = {
  size: { takes: null, gives: "i32" },
  length: { takes: null, gives: "i32" },
  byteAt: { takes: ["i32"], gives: "i32" },
  fourDigits: { takes: ["i32", "i32"], gives: "i32" },
  charAt: { takes: ["i32"], gives: "i32" },
  next: { takes: ["i32"], gives: "i32" },
  prev: { takes: ["i32"], gives: "i32" },
  advance: { takes: ["i32", "i32"], gives: "i32" },
  sub: { takes: ["i32", "i32"], gives: "view" },
  find: { takes: ["view", "i32"], gives: "i32" },
  rfind: { takes: ["view"], gives: "i32" },
  equals: { takes: ["view"], gives: "bool" },
  compare: { takes: ["view"], gives: "i32" },
  has: { takes: ["i32"], gives: "bool" },
  toFloat: { takes: [], gives: "f64" },
  toNarrowFloat: { takes: ["i32"], gives: "f64" },
} satisfies Readonly<Record<string, Method>>;

/** A method or a property of a view. */
export type ViewMethod = keyof typeof VIEW_METHODS;

/** The methods and properties of a list. */
export const LIST_METHODS = {
  size: { takes: null, gives: "i32" },
  at: { takes: ["i32"], gives: "view" },
  isNull: { takes: ["i32"], gives: "bool" },
} satisfies Readonly<Record<string, Method>>;

/** A method or a property of a list. */
export type ListMethod = keyof typeof LIST_METHODS;

/** An expression; only a helper has side effects, on the scratch that it stores into. */
export type RowExpr =
  | { readonly op: "const"; readonly type: "i32" | "f64"; readonly value: number }
  | { readonly op: "const"; readonly type: "i64"; readonly value: bigint }
  | { readonly op: "const"; readonly type: "bool"; readonly value: boolean }
  /** A text among the constants. A view can be a part of it, as of a parameter. */
  | { readonly op: "text"; readonly type: "view"; readonly root: string; readonly text: string }
  /** A local or a parameter. A view is a part of the parameter that `root` names. */
  | { readonly op: "name"; readonly type: RowType; readonly name: string; readonly root?: string }
  | {
    readonly op: "unary";
    readonly type: RowType;
    readonly fn: UnaryFn;
    readonly value: RowExpr;
  }
  | {
    readonly op: "binary";
    readonly type: RowType;
    readonly fn: BinaryFn;
    readonly left: RowExpr;
    readonly right: RowExpr;
  }
  | {
    readonly op: "select";
    readonly type: RowType;
    readonly root?: string;
    readonly test: RowExpr;
    readonly yes: RowExpr;
    readonly no: RowExpr;
  }
  | {
    readonly op: "method";
    readonly type: RowType;
    readonly root?: string;
    readonly method: ViewMethod;
    readonly view: RowExpr;
    readonly args: readonly RowExpr[];
  }
  | { readonly op: "table"; readonly type: "i32"; readonly table: string; readonly at: RowExpr }
  | {
    readonly op: "follow";
    readonly type: "i32";
    readonly table: string;
    readonly view: RowExpr;
    readonly state: RowExpr;
  }
  | { readonly op: "scratch"; readonly type: "i32"; readonly scratch: string; readonly at: RowExpr }
  /** Calls an intrinsic. */
  | {
    readonly op: "intrinsic";
    readonly type: RowType;
    readonly intrinsic: IntrinsicName;
    readonly args: readonly RowExpr[];
  }
  /** Calls the helper with this name among the constants. */
  | {
    readonly op: "helper";
    readonly type: "i32" | "bool" | "i64" | "f64";
    readonly helper: string;
    readonly args: readonly RowExpr[];
  }
  /** Asks the list in the parameter `list`; `at` is absent for its size. */
  | {
    readonly op: "list";
    readonly type: RowType;
    readonly method: ListMethod;
    readonly list: string;
    readonly root?: string;
    readonly at?: RowExpr;
  };

/** A loop; `break` and `continue` belong to the innermost one. */
export interface RowLoop {
  readonly do: "loop";
  readonly init: readonly RowStmt[];
  readonly test: RowExpr;
  readonly update: readonly RowStmt[];
  readonly body: readonly RowStmt[];
}

/** A statement. */
export type RowStmt =
  | { readonly do: "let"; readonly name: string; readonly value: RowExpr }
  | { readonly do: "set"; readonly name: string; readonly value: RowExpr }
  | {
    readonly do: "if";
    readonly test: RowExpr;
    readonly then: readonly RowStmt[];
    readonly else: readonly RowStmt[];
  }
  | RowLoop
  | { readonly do: "break" }
  | { readonly do: "continue" }
  /** Returns from a map, which is not called for the characters that follow. */
  | { readonly do: "end" }
  /** `value` is absent in maps, emits and lists; `high` is the high half of two. */
  | { readonly do: "return"; readonly value?: RowExpr; readonly high?: RowExpr }
  | { readonly do: "returnNull" }
  | { readonly do: "put"; readonly char: RowExpr }
  | { readonly do: "copy"; readonly view: RowExpr }
  | { readonly do: "repeat"; readonly view: RowExpr; readonly count: RowExpr }
  /** Appends what a host function writes. */
  | { readonly do: "hostCall"; readonly name: HostFunction; readonly args: readonly RowExpr[] }
  /** Appends an item of a list: a view, or a number. */
  | { readonly do: "item"; readonly value: RowExpr }
  /** Ends the list item that text was written into. */
  | { readonly do: "endItem" }
  /** Stores a word of scratch. */
  | {
    readonly do: "store";
    readonly scratch: string;
    readonly at: RowExpr;
    readonly value: RowExpr;
  }
  /** Calls a helper that writes or stores. */
  | { readonly do: "call"; readonly call: RowExpr & { readonly op: "helper" } };

/** The type of `RowFunction.body`. */
export interface RowBody {
  /** The name of the text, the list or the character (map); null if it has none. */
  readonly subject: string | null;
  /** The name of the high half of a subject of type words or i128; null if it has none. */
  readonly subjectHigh: string | null;
  /** The names of the text and the position of a map that looks; null for one without a name. */
  readonly look: { readonly text: string | null; readonly at: string | null };
  /** The names of the arguments, in the order of `args`, two for an i128; null for one without a name. */
  readonly params: readonly (string | null)[];
  /**
   * Locals that keep their values from character to character, with the values at the start of a
   * row.
   */
  readonly state: readonly { readonly name: string; readonly initial: number }[];
  readonly statements: readonly RowStmt[];
  /** The number of nodes in the code, as a measure of what inlining it costs. */
  readonly weight: number;
  /** Whether it contains an `end`. */
  readonly canEnd: boolean;
  /** The number of places that write to the sink. */
  readonly sinkSites: number;
  /** Whether it, or a helper that it calls, stores into scratch. */
  readonly stores: boolean;
  /** Whether it asks a list for the text of its items. */
  readonly readsItems: boolean;
}

/** The checked body of a row function. */
export function bodyOf(fn: RowFunction): RowBody {
  return fn.body as RowBody;
}

/** Whether a constant of a row function is a helper. */
export function isParsedHelper(constant: ParsedConst | undefined): constant is RowFunction {
  return typeof constant === "object" && "body" in constant;
}

/** Returns the helper with this name among the constants of a function. */
export function helperOf(fn: RowFunction, name: string): RowFunction {
  const helper = fn.consts[name];
  if (!isParsedHelper(helper)) throw new InternalError(`${fn.name} has no helper ${name}`);
  return helper;
}

/** Collects the names that statements assign, nested ones included. */
export function assignedNames(
  statements: readonly RowStmt[],
  into: Set<string> = new Set(),
): Set<string> {
  for (const statement of statements) {
    switch (statement.do) {
      case "set":
        into.add(statement.name);
        break;
      case "if":
        assignedNames(statement.then, into);
        assignedNames(statement.else, into);
        break;
      case "loop":
        assignedNames(statement.init, into);
        assignedNames(statement.body, into);
        assignedNames(statement.update, into);
        break;
    }
  }
  return into;
}

/** Whether the body of a loop has a `break` or `continue` that belongs to that loop. */
export function hasJump(statements: readonly RowStmt[], jump: "break" | "continue"): boolean {
  return statements.some((statement) =>
    statement.do === jump ||
    (statement.do === "if" && (hasJump(statement.then, jump) || hasJump(statement.else, jump)))
  );
}

/** Whether control never reaches the end of a list of statements. */
export function alwaysLeaves(statements: readonly RowStmt[]): boolean {
  return statements.some((statement) => {
    switch (statement.do) {
      case "end":
      case "return":
      case "returnNull":
      case "break":
      case "continue":
        return true;
      case "if":
        return alwaysLeaves(statement.then) && alwaysLeaves(statement.else);
      case "loop":
        return statement.test.op === "const" && statement.test.value === true &&
          !hasJump(statement.body, "break");
      default:
        return false;
    }
  });
}

/** Returns the conditions that a test joins with `&&`. */
export function conjuncts(test: RowExpr): RowExpr[] {
  return test.op === "binary" && test.fn === "&&"
    ? [...conjuncts(test.left), ...conjuncts(test.right)]
    : [test];
}
