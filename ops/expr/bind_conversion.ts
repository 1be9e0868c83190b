/**
 * Binds calls that convert to a named type: a chain of row functions, which fuse.
 *
 * @module
 */

import { InternalError } from "../../base/errors/internal_error.ts";
import { DataType } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { argsByName } from "../syntax/call_node.ts";
import { checkedAt, failAt } from "../syntax/node_place.ts";
import type { CallNode } from "../syntax/node.ts";
import type { ConversionSpec } from "../syntax/overload.ts";
import type { LiteralData } from "../syntax/literal.ts";
import { printData, printNode } from "../syntax/print.ts";
import { bindSubject } from "./bind_subject.ts";
import { nullTree, type Typed, widened } from "./typed.ts";

/**
 * Binds a conversion. A null literal and a column of nulls convert to any type. Where no step can
 * fail, or inside of `orNull()`, the call needs no check for errors.
 */
export function bindConversion(
  node: CallNode,
  conversion: ConversionSpec,
  subject: Typed,
  isLenient: boolean,
): Typed {
  const { op } = node;
  const args = argsByName(op, node.args);
  const type = conversion.type(args);
  const from = subject.type;
  if (subject.literal === null || DataType.isNull(from)) {
    return { node, tree: nullTree(type), type, nullable: true };
  }
  const given = `${printNode(node.text)} from ${typeName(from)} to ${typeName(type)}`;
  const steps = checkedAt(node, `Cannot cast ${given}`, () => conversion.steps(from, type, args));
  if (typeof steps === "string") {
    return failAt(node, `Cannot cast ${given}; ${steps}`);
  }
  const shown = {
    literals: op.parameters.flatMap(({ name }) =>
      args[name] === undefined ? [] : [printData(args[name] as LiteralData)]
    ),
    from: typeName(from),
  };
  const fns = steps.map(({ overload, zone, args }) => op.rowFunction(overload, args ?? {}, zone));
  const canFail = fns.some(({ returnsNull }) => returnsNull);
  const isStrict = canFail && !isLenient && op.spec.isStrict?.(args) === true;
  let value = subject;
  for (const [index, step] of steps.entries()) {
    const fn = fns[index]!;
    const text = bindSubject(fn, value, true);
    if (text === undefined) {
      throw new InternalError(`${node.op.spec.name}() cannot make ${typeName(step.type)}`);
    }
    const isLast = index === steps.length - 1;
    const tree: Tree = {
      node: "call",
      fn,
      text,
      args: [],
      type: columnTypeOf(step.type),
      shown,
      ...(isLast ? {} : { isPart: true }),
      ...(isLast && isStrict ? { strict: true } : {}),
    };
    value = { node, tree, type: step.type, nullable: subject.nullable || canFail };
  }
  return { node, tree: widened(value.tree, type), type, nullable: value.nullable };
}
