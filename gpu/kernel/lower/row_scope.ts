import type { Scalar, Stmt } from "../ir/ir.ts";

/** A local of the generated code. */
export type Local = Scalar & { readonly op: "local" };

/** Statements that are being collected, with what is known where they stand. */
export interface Scope {
  readonly statements: Stmt[];
  /** Scalars that were computed before, by what they are. Valid from here to the end of the list. */
  readonly known: Map<string, Scalar>;
  /** Orders that a test told. */
  readonly given: string[];
  /** Whether control never gets here. */
  dead: boolean;
}

/** Statements that were collected and belong nowhere yet. */
export type Collected = Readonly<Scope>;

/** Declares a local as 0 or false. */
export function declaration({ name, type }: Local): Stmt {
  const value: Scalar = { op: "const", type, value: type === "bool" ? false : 0 };
  return { do: "let", name, type, value };
}

/** A list without statements. */
export function newScope(): Scope {
  return { statements: [], known: new Map(), given: [], dead: false };
}

/** Whether repeating a scalar costs next to nothing. */
export function isCheap(scalar: Scalar): boolean {
  switch (scalar.op) {
    case "const":
    case "local":
    case "start":
    case "stop":
      return true;
    case "binary":
      return (scalar.fn === "+" || scalar.fn === "-") && isLeaf(scalar.left) &&
        isLeaf(scalar.right);
    default:
      return false;
  }
}

function isLeaf(scalar: Scalar): boolean {
  return scalar.op === "const" || scalar.op === "local" || scalar.op === "start" ||
    scalar.op === "stop";
}
