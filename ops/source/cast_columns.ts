/**
 * The step of reading that casts columns to the types that the user named.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { type NodeKind, type Operator, operatorOf, type Stage } from "../engine/operator_kit.ts";
import type { RowError } from "../../base/errors/step_error.ts";
import { makeExpr } from "../expr/expr.ts";
import { type Columns, withColumnsKind, withColumnsNode } from "../rows/with_columns.ts";
import { cast } from "../string/convert/cast.ts";
import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";

/**
 * Casts columns of text to the types of these names. It is a part of reading: a text that has none is an
 * error of its file, with row and column.
 */
export function castColumns(casts: Readonly<Record<string, string>>): Operator {
  const exprs = Object.entries(casts).map(([name, type]) =>
    [name, makeExpr(callNode(cast, { node: "column", name }, [literalNode(type)]))] as const
  );
  const kind = castKind(casts);
  const node = withColumnsNode(new Map(exprs), { kind });
  return operatorOf(Object.freeze({ ...node, isOfSource: true }));
}

function castKind(casts: Readonly<Record<string, string>>): NodeKind<Columns> {
  return {
    ...withColumnsKind,
    name: "read",
    async check(spec, input, context) {
      const { schema, compile } = await withColumnsKind.check(spec, input, context);
      return { schema, compile: () => withErrorsOfFile(compile(), casts) };
    },
  };
}

function withErrorsOfFile(stage: Stage, casts: Readonly<Record<string, string>>): Stage {
  return {
    ...stage,
    async *run(batches, context) {
      try {
        yield* stage.run(batches, context);
      } catch (error) {
        throw ofFile(error, casts);
      }
    },
  };
}

/** A value that has not the given type, as an error of the file that it was read from. */
function ofFile(error: unknown, casts: Readonly<Record<string, string>>): unknown {
  const { cause } = error as RowError;
  if (!(isSluiceError(error, "RowError") && isSluiceError(cause, "ConversionError"))) return error;
  const { shown, origin } = cause.refused ?? {};
  if (origin === undefined) return error;
  const { source, row, column } = origin;
  const problem = `row ${row}, column ${column}: ${shown} is not a valid ${casts[column]}`;
  return new FileError(source, problem, { row, column, cause });
}
