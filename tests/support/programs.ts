/**
 * Programs from the text of expressions.
 *
 * @module
 */

import { type DataType, Field, Schema } from "apache-arrow";
import type { Program } from "../../gpu/kernel/tree/tree.ts";
import { bindExpr } from "../../ops/expr/bind.ts";
import { compileExprs } from "../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../ops/expr/parse.ts";

/** A program over the columns of a schema. */
interface CompiledProgram {
  readonly program: Program;
  /** Names of the columns that are its inputs, in order. */
  readonly inputNames: readonly string[];
}

/** Compiles expressions over columns of the given types. */
export function compileProgram(
  texts: readonly string[],
  types: Readonly<Record<string, DataType>>,
  options: { readonly fuse?: boolean } = {},
): CompiledProgram {
  const names = Object.keys(types);
  const schema = new Schema(names.map((name) => new Field(name, types[name]!, true)));
  const bound = texts.map((text) => bindExpr(parseExpr(text), schema));
  return compileExprs(bound, { ...options, names });
}
