/** WGSL as a tree, as far as the kernels use it. */

/** A type: `u32`, or one with arguments, such as `array<vec4<u32>, 2>`. */
export interface Type {
  readonly name: string;
  readonly of: readonly Type[];
  /** The number of items of an array; none where a buffer determines it. */
  readonly size?: number;
}

export type Expr =
  | { readonly at: "literal"; readonly value: number | boolean; readonly type: Type | null }
  | { readonly at: "name"; readonly name: string }
  | { readonly at: "unary"; readonly op: string; readonly of: Expr }
  | { readonly at: "binary"; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly at: "call"; readonly name: string; readonly as: Type | null; readonly args: Expr[] }
  | { readonly at: "index"; readonly of: Expr; readonly index: Expr }
  | { readonly at: "member"; readonly of: Expr; readonly name: string };

export type Stmt =
  | {
    readonly do: "let";
    readonly isVar: boolean;
    readonly name: string;
    readonly type: Type | null;
    readonly value: Expr | null;
  }
  /** `op` is `=`, or one such as `+=`. */
  | { readonly do: "assign"; readonly op: string; readonly to: Expr; readonly value: Expr }
  | { readonly do: "call"; readonly call: Expr & { at: "call" } }
  | { readonly do: "if"; readonly test: Expr; readonly then: Stmt[]; readonly else: Stmt[] }
  /** `for` and `while`: the update follows the body, and `continue`. */
  | {
    readonly do: "loop";
    readonly first: Stmt[];
    readonly test: Expr | null;
    readonly body: Stmt[];
    readonly update: Stmt[];
  }
  | {
    readonly do: "switch";
    readonly value: Expr;
    /** The default has no values. */
    readonly cases: readonly { readonly values: readonly Expr[]; readonly body: Stmt[] }[];
  }
  | { readonly do: "return"; readonly value: Expr | null }
  | { readonly do: "break" | "continue" };

/** A variable of a module. */
export interface Global {
  readonly name: string;
  readonly space: "uniform" | "storage" | "workgroup" | "private";
  readonly isWritable: boolean;
  readonly type: Type;
  readonly binding: number | null;
  readonly value: Expr | null;
}

export interface Param {
  readonly name: string;
  readonly type: Type;
  /** What an entry point is given. */
  readonly builtin: string | null;
}

export interface Func {
  readonly name: string;
  readonly params: readonly Param[];
  readonly result: Type | null;
  readonly body: Stmt[];
  /** Invocations of a workgroup; null where it is no entry point. */
  readonly workgroupSize: number | null;
}

export interface Module {
  readonly globals: readonly Global[];
  readonly consts: ReadonlyMap<string, Expr>;
  /** The members of structs, in order. */
  readonly structs: ReadonlyMap<string, readonly Param[]>;
  readonly functions: ReadonlyMap<string, Func>;
}
