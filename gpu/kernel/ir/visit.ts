/**
 * Walks over the code of a kernel. Only this file lists the children of each node: a new node with
 * children does not compile until it is listed.
 *
 * @module
 */

import type { Scalar, Stmt } from "./ir.ts";
import { mapIdiom } from "./loop_idiom.ts";

/** The fields of a node with one `Part`, or a list of them. */
type PartOf<Node, Part> = {
  [Field in keyof Node]-?: Node[Field] extends Part | readonly Part[] ? Field : never;
}[keyof Node];

/** The names of such fields for each kind of node that has some, in the order of evaluation. */
type PartsOf<Nodes, Key extends keyof Nodes, Part> = {
  readonly [
    Node in Nodes as [PartOf<Node, Part>] extends [never] ? never : Node[Key] & string
  ]: readonly PartOf<Node, Part>[];
};

const SCALARS_OF_SCALAR: PartsOf<Scalar, "op", Scalar> = {
  unary: ["value"],
  binary: ["left", "right"],
  convert: ["value"],
  select: ["test", "yes", "no"],
  byte: ["at"],
  hostCall: ["args"],
  itemStart: ["at"],
  itemValid: ["at"],
  table: ["at"],
  scratch: ["at"],
};

const SCALARS_OF_STATEMENT: PartsOf<Stmt, "do", Scalar> = {
  let: ["value"],
  set: ["value"],
  if: ["test"],
  loop: ["test"],
  put: ["byte"],
  copy: ["start", "stop"],
  repeat: ["start", "stop", "count"],
  hostCall: ["args"],
  checkRepeat: ["size", "count"],
  store: ["at", "value"],
  beginItem: ["bytes"],
  number: ["value"],
  result: ["words"],
};

const BODIES_OF_STATEMENT: PartsOf<Stmt, "do", readonly Stmt[]> = {
  if: ["then", "else"],
  loop: ["body", "update"],
  block: ["body"],
};

/** Returns the scalars directly below a scalar. */
export function childrenOf(scalar: Scalar): readonly Scalar[] {
  return scalarsIn(scalar, fieldsOf(SCALARS_OF_SCALAR, scalar.op));
}

/** Returns the same scalar with other scalars directly below it. */
export function mapChildren(scalar: Scalar, map: (child: Scalar) => Scalar): Scalar {
  return mapScalarsIn(scalar, fieldsOf(SCALARS_OF_SCALAR, scalar.op), map);
}

/**
 * Returns the scalars directly below a statement, without those of its idiom, which repeat the
 * code.
 */
export function scalarsOf(stmt: Stmt): readonly Scalar[] {
  return scalarsIn(stmt, fieldsOf(SCALARS_OF_STATEMENT, stmt.do));
}

/**
 * Returns the same statement with other scalars directly below it, including those of its idiom.
 */
export function mapScalars(stmt: Stmt, map: (scalar: Scalar) => Scalar): Stmt {
  const mapped = mapScalarsIn(stmt, fieldsOf(SCALARS_OF_STATEMENT, stmt.do), map);
  if (mapped.do !== "loop" || mapped.idiom === undefined) return mapped;
  return { ...mapped, idiom: mapIdiom(mapped.idiom, map) };
}

/** Returns the lists of statements directly below a statement. */
export function bodiesOf(stmt: Stmt): readonly (readonly Stmt[])[] {
  const fields = fieldsOf(BODIES_OF_STATEMENT, stmt.do);
  return fields.map((field) => valueIn<readonly Stmt[]>(stmt, field));
}

/** Returns the same statement with other lists of statements directly below it. */
export function mapBodies(stmt: Stmt, map: (body: readonly Stmt[]) => readonly Stmt[]): Stmt {
  return mapValuesIn(stmt, fieldsOf(BODIES_OF_STATEMENT, stmt.do), map);
}

/** Calls the visitors for every statement and every scalar, outer ones first. */
export function visit(
  statements: readonly Stmt[],
  visitors: { stmt?: (stmt: Stmt) => void; scalar?: (scalar: Scalar) => void },
): void {
  for (const stmt of statements) {
    visitors.stmt?.(stmt);
    if (visitors.scalar !== undefined) {
      for (const scalar of scalarsOf(stmt)) visitScalar(scalar, visitors.scalar);
    }
    for (const body of bodiesOf(stmt)) visit(body, visitors);
  }
}

/** Calls the visitor for a scalar and all below it, outer ones first. */
export function visitScalar(scalar: Scalar, visitor: (scalar: Scalar) => void): void {
  visitor(scalar);
  for (const child of childrenOf(scalar)) visitScalar(child, visitor);
}

/** Whether some scalar of a scalar, itself included, satisfies a predicate. */
export function someScalar(scalar: Scalar, predicate: (scalar: Scalar) => boolean): boolean {
  return predicate(scalar) || childrenOf(scalar).some((child) => someScalar(child, predicate));
}

/** Whether some statement, at any depth, satisfies a predicate. */
export function someStatement(
  statements: readonly Stmt[],
  predicate: (stmt: Stmt) => boolean,
): boolean {
  return statements.some((stmt) =>
    predicate(stmt) || bodiesOf(stmt).some((body) => someStatement(body, predicate))
  );
}

/** Whether a strict call of a kernel may fail. */
export function mayFail(body: readonly Stmt[]): boolean {
  return someStatement(body, (stmt) => stmt.do === "fail");
}

/** Counts statements at any depth. */
export function numStatements(statements: readonly Stmt[]): number {
  let count = 0;
  visit(statements, { stmt: () => void count++ });
  return count;
}

/** Returns the statements from an index on that append one byte each, up to the first other one. */
export function putsAt(
  statements: readonly Stmt[],
  index: number,
): readonly (Stmt & { do: "put" })[] {
  const puts: (Stmt & { do: "put" })[] = [];
  for (let at = index; at < statements.length; at++) {
    const statement = statements[at];
    if (statement?.do !== "put") break;
    puts.push(statement);
  }
  return puts;
}

const NO_FIELDS: readonly string[] = [];

function fieldsOf(table: Readonly<Record<string, readonly string[]>>, kind: string) {
  return table[kind] ?? NO_FIELDS;
}

function scalarsIn(node: Scalar | Stmt, fields: readonly string[]): readonly Scalar[] {
  const scalars: Scalar[] = [];
  for (const field of fields) {
    const value = valueIn<Scalar | readonly Scalar[]>(node, field);
    if ("op" in value) scalars.push(value);
    else scalars.push(...value);
  }
  return scalars;
}

function mapScalarsIn<Node extends Scalar | Stmt>(
  node: Node,
  fields: readonly string[],
  map: (scalar: Scalar) => Scalar,
): Node {
  return mapValuesIn(
    node,
    fields,
    (value: Scalar | readonly Scalar[]) =>
      "op" in value ? map(value) : value.map((scalar) => map(scalar)),
  );
}

function valueIn<Value>(node: Scalar | Stmt, field: string): Value {
  return (node as unknown as Readonly<Record<string, Value>>)[field]!;
}

/** Returns the node itself if nothing changes. */
function mapValuesIn<Node extends Scalar | Stmt, Value>(
  node: Node,
  fields: readonly string[],
  map: (value: Value) => Value,
): Node {
  let changed: Record<string, Value> | null = null;
  for (const field of fields) {
    const value = valueIn<Value>(node, field);
    const mapped = map(value);
    if (mapped !== value) (changed ??= {})[field] = mapped;
  }
  return changed === null ? node : { ...node, ...changed };
}
