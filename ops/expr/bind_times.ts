/**
 * Binds operators between dates, times and durations: `end - start`, `start + wait`, `wait * 2`. Two
 * units become the finer one.
 *
 * @module
 */

import { DataType, Duration, Float64, Int64, Time, Timestamp, type TimeUnit } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import {
  timeDifference,
  timeNegation,
  timeProduct,
  timeQuotient,
  timeSum,
} from "../dates/arithmetic.ts";
import { add, div, mul, neg, sub } from "../number/arithmetic.ts";
import { perDay, perSecond } from "../time/time_of.ts";
import type { CallNode, ExprNode, StringOp } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import { commonType, reasonOf } from "./common_type.ts";
import { bothTypes, classOf, nullTree, type Typed, whatIs, widened } from "./typed.ts";

/** What a type counts, for operators. */
type Kind = "date" | "timestamp" | "time" | "duration" | "whole" | "float" | "null" | "other";

/** A row function of two operands, and what it makes of them. */
interface Rule {
  /** The operation with the row function, and its key. */
  readonly op: StringOp;
  readonly key: string;
  /** The type of the result. */
  readonly type: DataType;
  /** The unit in which both operands are counted; without it they are taken as they are. */
  readonly unit?: number;
}

/** Binds an operator with a date, a time or a duration as an operand; undefined for all others. */
export function bindTimes(
  node: CallNode,
  bind: (node: ExprNode) => Typed,
  isLenient: boolean,
): Typed | undefined {
  const { op, args: [argument] } = node;
  if (![add, sub, mul, div, neg].includes(op)) return undefined;
  const subject = bind(node.text);
  const operands = argument === undefined ? [subject] : [subject, bind(argument)];
  if (!operands.some(({ type }) => classOf(type) === "time")) return undefined;
  const [left = subject, right] = withLiterals(node, operands);
  const kinds = [kindOf(left), right && kindOf(right)] as const;
  const rule = right === undefined ? negation(left) : ruleFor(op, left, right, kinds);
  if (rule === undefined) return refuse(node, left, right);
  const { type } = rule;
  if (kinds.includes("null")) return { node, tree: nullTree(type), type, nullable: true };
  const { tree, returnsNull } = treeOf(node, rule, left, right, isLenient);
  return { node, tree, type, nullable: returnsNull || left.nullable || right?.nullable === true };
}

/** Reads the text of a date or a time that is a literal beside one: `day - "2024-01-01"`. */
function withLiterals(node: CallNode, operands: readonly Typed[]): readonly Typed[] {
  const [left, right] = operands;
  if (left === undefined || right === undefined || node.op !== sub) return operands;
  if (typeof left.literal !== "string" && typeof right.literal !== "string") return operands;
  const common = commonType(left, right);
  if (common === undefined) return operands;
  const { type } = common;
  return [{ ...left, tree: common.left, type }, { ...right, tree: common.right, type }];
}

function kindOf({ type, literal }: Typed): Kind {
  if (literal === null) return "null";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTimestamp(type)) return "timestamp";
  if (DataType.isTime(type)) return "time";
  if (DataType.isDuration(type)) return "duration";
  if (DataType.isFloat(type)) return "float";
  const isWide = DataType.isInt(type) && !type.isSigned && type.bitWidth === 64;
  return classOf(type) === "int" && !isWide ? "whole" : "other";
}

/** Returns the unit of a type of times; that of dates is -1. */
function unitOf(type: DataType): number {
  if (DataType.isDate(type)) return type.unit === 0 ? -1 : 1;
  return DataType.isTimestamp(type) || DataType.isTime(type) || DataType.isDuration(type)
    ? type.unit
    : -1;
}

/** Returns a type that counts in a unit: the same kind of time as another type; a timestamp for dates. */
function inUnit(type: DataType, unit: TimeUnit): DataType {
  if (DataType.isDuration(type)) return new Duration(unit);
  if (DataType.isTime(type)) return new Time(unit, unit < 2 ? 32 : 64);
  return new Timestamp(unit, DataType.isTimestamp(type) ? type.timezone : null);
}

function negation({ type }: Typed): Rule | undefined {
  return DataType.isDuration(type) ? { op: timeNegation, key: "plain", type } : undefined;
}

/** Returns how two operands are computed; undefined where they are not. */
function ruleFor(
  op: StringOp,
  left: Typed,
  right: Typed,
  [kind, other]: readonly [Kind, Kind | undefined],
): Rule | undefined {
  if (op === mul || op === div) return scaling(op, left, right, [kind, other]);
  const unit = Math.max(0, unitOf(left.type), unitOf(right.type));
  // A null is taken as a duration, which every time can be moved by.
  const byLength = other === "duration" || other === "null";
  if (op === sub) {
    const isSame = kind === other && isSameZone(left.type, right.type);
    if (kind !== "duration" && isSame) {
      return { op: timeDifference, key: "scaled", type: new Duration(unit), unit };
    }
    const isLength = kind === "null" && other === "duration";
    return byLength || isLength ? moved(timeDifference, isLength ? right : left, unit) : undefined;
  }
  if (byLength) return moved(timeSum, left, unit);
  return kind === "duration" || kind === "null" ? moved(timeSum, right, unit) : undefined;
}

/** Returns how a time is moved by a duration. */
function moved(op: StringOp, { type }: Typed, unit: number): Rule | undefined {
  if (classOf(type) !== "time") return undefined;
  const key = DataType.isTime(type) ? "time" : "scaled";
  return { op, key, type: inUnit(type, unit), unit };
}

/** Returns how a duration is multiplied or divided. */
function scaling(
  op: StringOp,
  left: Typed,
  right: Typed,
  [kind, other]: readonly [Kind, Kind | undefined],
): Rule | undefined {
  const isNumber = (kind: Kind | undefined) =>
    kind === "whole" || kind === "float" || kind === "null";
  if (op === mul) {
    const factor = kind === "duration" ? other : other === "duration" ? kind : undefined;
    if (!isNumber(factor)) return undefined;
    const { type } = kind === "duration" ? left : right;
    return { op: timeProduct, key: factor === "float" ? "float" : "whole", type };
  }
  if (kind === "duration" && isNumber(other)) {
    return { op: timeQuotient, key: other === "float" ? "float" : "whole", type: left.type };
  }
  if (other !== "duration" || (kind !== "duration" && kind !== "null")) return undefined;
  const unit = Math.max(0, unitOf(left.type), unitOf(right.type));
  return { op: timeQuotient, key: "lengths", type: new Float64(), unit };
}

function isSameZone(left: DataType, right: DataType): boolean {
  if (!DataType.isTimestamp(left) || !DataType.isTimestamp(right)) return true;
  return !left.timezone === !right.timezone;
}

/** Returns the number of a unit in one of the unit of a type. */
function factorTo(unit: number, { type }: Typed): number {
  const own = unitOf(type);
  const name = timeUnitNames[unit]!;
  if (own < 0) return Number(perDay(name));
  return Number(perSecond(name) / perSecond(timeUnitNames[own]!));
}

function treeOf(
  node: CallNode,
  { op, key, type, unit }: Rule,
  left: Typed,
  right: Typed | undefined,
  isLenient: boolean,
): { readonly tree: Tree; readonly returnsNull: boolean } {
  const { operator } = node.op.spec;
  // A number in front of a duration goes behind it, since the row function takes the duration first.
  const isSwapped = op === timeProduct && right !== undefined && DataType.isDuration(right.type);
  const [first, second] = isSwapped ? [right, left] : [left, right];
  const factors = unit === undefined || second === undefined
    ? undefined
    : { left: factorTo(unit, first), right: factorTo(unit, second) };
  const isPlain = key === "scaled" && factors?.left === 1 && factors.right === 1;
  const day = key === "time" ? { day: Number(perDay(timeUnitNames[unit!]!)) } : {};
  const fn = isPlain
    ? op.rowFunction("plain")
    : op.rowFunction(key, factors && { ...factors, ...day });
  const counted = ({ tree }: Typed) => widened(tree, new Int64());
  const isFloat = fn.args[0]?.type === "f64";
  const call: Tree = {
    node: "call",
    fn,
    text: counted(first),
    args: second === undefined ? [] : [isFloat ? second.tree : counted(second)],
    type: columnTypeOf(fn.returns === "f64" ? type : new Int64()),
    ...(operator === undefined ? {} : { operator }),
    ...(isLenient ? {} : {
      strict: true,
      refusal: refusalOf(node, type, second !== undefined),
      shown: {
        literals: [],
        from: typeName(first.type),
        others: second === undefined ? [] : [typeName(second.type)],
      },
    }),
  };
  // Some times of a day have 32 bits.
  return { tree: widened(call, type), returnsNull: fn.returnsNull };
}

/** Returns the message for a result that does not exist, with marks for the call and its operands. */
function refusalOf({ op }: CallNode, type: DataType, isInfix: boolean): string {
  const operands = isInfix ? `$1 ${op.spec.operator} $2` : "-($1)";
  const where = DataType.isTime(type) ? "a day" : typeName(type);
  if (op === div) return `$0 has no value in ${where}: ${operands}`;
  return `$0 does not fit in ${where}: ${operands}`;
}

function refuse(node: CallNode, left: Typed, right: Typed | undefined): never {
  const { op } = node;
  const problem = right === undefined
    ? `Cannot compute ${printNode(node)}: ${whatIs(left)}`
    : op === add
    ? `Cannot add ${bothTypes(left, right)}`
    : `Cannot compute ${printNode(node)} of ${bothTypes(left, right)}`;
  return failAt(node, problem + hintFor(node, left, right));
}

function hintFor({ op }: CallNode, left: Typed, right: Typed | undefined): string {
  if (right === undefined) return "";
  const [time, number] = classOf(left.type) === "time" ? [left, right] : [right, left];
  const shown = printNode(time.node, Infinity);
  const count = printNode(number.node);
  const kind = kindOf(time);
  if (classOf(number.type) === "int" || classOf(number.type) === "float") {
    if (op === mul || op === div) {
      if (kind !== "duration") return `; ${shown}.epoch("second") makes it a number`;
      return time === right && op === div
        ? `; ${shown}.total("second") makes it a number`
        : `; ${printNode(number.node, Infinity)}.cast("int64") has a sign`;
    }
    if (kind === "duration") {
      const length = `${printNode(number.node, Infinity)}.duration("second")`;
      return `; ${length} is a duration, and so on for other units`;
    }
    if (number === left && op === sub) return `; ${shown}.epoch("second") makes it a number`;
    const sign = op === sub ? negated(number) : count;
    const unit = kind === "date" ? "day" : "second";
    return `; ${shown}.plus(${sign}, "${unit}") moves it, and so on for other units`;
  }
  const reason = reasonOf(left, right);
  if (reason !== "") return reason;
  const kinds = [kindOf(left), kindOf(right)];
  if (op === sub && kinds.includes("date") && kinds.includes("timestamp")) {
    return "; toTimestamp() gives a date a time of day";
  }
  if (op === add && kinds.every((each) => each !== "duration")) {
    return "; a time is moved by a duration, or by plus()";
  }
  return "";
}

/** Returns how the negative of a number is written. */
function negated({ node, literal }: Typed): string {
  if (typeof literal === "number" || typeof literal === "bigint") return String(-literal);
  return `-${printNode(node, Infinity)}`;
}
