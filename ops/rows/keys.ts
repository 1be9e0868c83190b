/**
 * Turns the keys of an operator, names or expressions, into columns of its input. An expression
 * becomes a column that is computed first.
 *
 * @module
 */

import { type DataType, Field, Schema } from "apache-arrow";
import type { CheckContext, Checked } from "../engine/node.ts";
import { bindExpr } from "../expr/bind.ts";
import { typeName } from "../batch/arrow_types.ts";
import { col, type Expr, makeExpr, printExpr } from "../expr/expr.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { cast } from "../string/convert/cast.ts";
import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";
import { columnIndex } from "./column_names.ts";
import { withColumnsNode } from "./with_columns.ts";

/** A key: the name of a column, or an expression. */
export type Key = string | Expr;

/** Returns the text of a key. */
export function printKey(key: Key): string {
  return printExpr(typeof key === "string" ? col(key) : key);
}

/** Returns the names of the columns that keys read. */
export function columnsOfKeys(keys: readonly Key[]): Set<string> {
  return new Set(keys.flatMap((key) => typeof key === "string" ? [key] : [...columnsOf(key)]));
}

/** Keys as columns of their input. */
export interface KeyColumns {
  /** The schema of the input, followed by the computed keys. */
  readonly schema: Schema;
  /** The place of each key in the schema, and its type. */
  readonly places: readonly number[];
  /** The place of the column that each key was given as; `places` has what is computed of it. */
  readonly given: readonly number[];
  readonly types: readonly DataType[];
  /** The computed keys, by their names in the schema. */
  readonly computed: ReadonlyMap<string, Expr>;
}

/**
 * Binds keys to the schema of their input. Throws a TypeError for a name or an expression that does
 * not fit it.
 */
export function bindKeys(keys: readonly Key[], input: Schema): KeyColumns {
  const computed = new Map<string, Expr>();
  const fields = [...input.fields];
  const places = keys.map((key) => {
    if (typeof key === "string") return columnIndex(input, key);
    const { type, nullable } = bindExpr(key, input);
    const name = unusedName(printExpr(key), fields);
    computed.set(name, key);
    return fields.push(new Field(name, type, nullable)) - 1;
  });
  const types = places.map((place) => fields[place]!.type);
  const schema = new Schema(fields, input.metadata);
  return { schema, places, given: places, types, computed };
}

/** Binds the same keys again, those whose types are not undefined cast to them. */
export function bindCastKeys(
  keys: readonly Key[],
  input: Schema,
  types: readonly (DataType | undefined)[],
): KeyColumns {
  const wanted = keys.map((key, index) => {
    const type = types[index];
    if (type === undefined) return key;
    const { node } = typeof key === "string" ? col(key) : key;
    return makeExpr(callNode(cast, node, [literalNode(typeName(type))]));
  });
  const bound = bindKeys(wanted, input);
  const given = keys.map((key, index) =>
    typeof key === "string" ? columnIndex(input, key) : bound.places[index]!
  );
  return { ...bound, given };
}

/** Checks the node that adds the computed keys to batches; undefined if there are none. */
export async function computeKeys(
  { computed }: Pick<KeyColumns, "computed">,
  input: Schema,
  context: CheckContext,
): Promise<Checked | undefined> {
  if (computed.size === 0) return undefined;
  const { kind, spec } = withColumnsNode(computed);
  return await kind.check(spec, input, context);
}

/** Returns a name that no field has. */
function unusedName(name: string, fields: readonly Field[]): string {
  return fields.some((field) => field.name === name) ? unusedName(`${name} `, fields) : name;
}
