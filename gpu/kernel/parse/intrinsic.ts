/**
 * Calls of intrinsics in a row function: the types of the arguments choose the form.
 *
 * @module
 */

import type { CallExpression } from "acorn";
import { type IntrinsicForm, type IntrinsicName, INTRINSICS } from "../language/intrinsics.ts";
import {
  asType,
  canBeFloat,
  computesFloats,
  isNumber,
  type Operand,
  type Place,
} from "./number.ts";
import type { ParseContext } from "./parse_context.ts";
import type { RowExpr } from "./row_code.ts";

/** Returns a call of an intrinsic; `name` is what the source calls it. */
export function intrinsicCall(
  context: ParseContext,
  node: Place,
  name: string,
  intrinsic: IntrinsicName,
  operands: readonly Operand[],
): RowExpr {
  const forms: readonly IntrinsicForm[] = INTRINSICS[intrinsic];
  const wanted = forms[0]?.takes.length ?? 0;
  if (operands.length !== wanted) {
    return context.fail(node, `expected ${wanted} arguments, found ${operands.length}`);
  }
  const chosen = forms.find(({ takes }) => operands.every(({ expr }, i) => expr.type === takes[i]));
  const form = chosen ??
    forms.find(({ takes }) => operands.every(({ expr }, i) => fits(context, expr, takes[i]))) ??
    refuse(context, node, name, forms, operands);
  if ([...form.takes, form.returns].includes("f64")) computesFloats(context);
  const args = operands.map((operand, i) => asType(context, operand, form.takes[i]!));
  return { op: "intrinsic", type: form.returns, intrinsic, args };
}

function fits(context: ParseContext, expr: RowExpr, type: string | undefined): boolean {
  return expr.type === type || (type === "f64" && canBeFloat(context, expr));
}

function refuse(
  context: ParseContext,
  node: Place,
  name: string,
  forms: readonly IntrinsicForm[],
  operands: readonly Operand[],
): never {
  const listed = (types: readonly string[]) => types.join(" and ");
  const takes = forms.map((form) => listed(form.takes)).join(" or ");
  const found = listed(operands.map(({ expr }) => expr.type));
  const [to] = forms[0]?.takes ?? [];
  const convert = to === "i64" ? "toI64" : to === "f64" ? "toF64" : "toI32";
  const isConvertible = forms.length === 1 && operands.every(({ expr }) => isNumber(expr.type));
  const hint = isConvertible ? `; write ${convert}(x)` : "";
  return context.fail(node, `${name} takes ${takes}, not ${found}${hint}`);
}

/** Says what to write instead of a function of JavaScript. */
export function insteadOf(callee: CallExpression["callee"]): string {
  const object = callee.type === "MemberExpression" ? callee.object : callee;
  if (object.type !== "Identifier") return "";
  const { name } = object;
  if (name === "BigInt") return "; write toI64(x)";
  if (name === "Number") return "; write toF64(x) or toI32(x)";
  return name === "Math" ? "; give functions of numbers as consts, { sqrt }" : "";
}
