/**
 * The types of aggregates, and their states.
 *
 * @module
 */

import { Bool, DataType, Field, Float64, Int64, List, Uint64 } from "apache-arrow";
import type { ColumnType } from "../../gpu/column/column.ts";
import { ChosenRowState } from "../../gpu/group/chosen_rows.ts";
import { ListState, ModeState, QuantileState } from "../../gpu/group/collected_rows.ts";
import { Counts, DistinctCounts } from "../../gpu/group/counts.ts";
import { DecimalMeanState, DecimalSumState } from "../../gpu/group/decimal_sums.ts";
import { FloatMeanState, FloatSumState } from "../../gpu/group/float_sums.ts";
import type { GroupState } from "../../gpu/group/group_state.ts";
import { IntegerMeanState, IntegerSumState } from "../../gpu/group/integer_sums.ts";
import { CorrelationState, SpreadState } from "../../gpu/group/moments.ts";
import { TruthState } from "../../gpu/group/truth.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { classOf } from "../expr/typed.ts";
import { decimalDigits, decimalType, MAX_DIGITS } from "../syntax/decimal_type.ts";
import type { AggregateNode } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";

/** An aggregate with the type of its result. */
export interface BoundAggregate {
  readonly type: DataType;
  readonly nullable: boolean;
  /** Whether the result is one of the values of the first argument. */
  readonly isValue?: true;
  /** Creates its state, without groups. */
  newState(): GroupState;
}

/**
 * Binds an aggregate to the types of its arguments. A lenient one is null where it would fail. Throws an ExprError for types that it does not take.
 */
export function bindAggregate(
  node: AggregateNode,
  types: readonly DataType[],
  isLenient: boolean,
): BoundAggregate {
  const [type, by] = types as [DataType, DataType];
  const result = (type: DataType, newState: () => GroupState, nullable = true) => ({
    type,
    nullable,
    newState,
  });
  switch (node.name) {
    case "count":
      return result(new Int64(), () => new Counts(), false);
    case "countDistinct":
      return result(new Int64(), () => new DistinctCounts(columnTypeOf(type)), false);
    case "sum":
      return bindSum(node, type, isLenient);
    case "mean":
      if (classOf(type) === "decimal") {
        return result(new Float64(), () => new DecimalMeanState(decimalDigits(type)!.scale));
      }
      checkNumber(node, 0, type);
      return result(
        new Float64(),
        () => isFloat(type) ? new FloatMeanState() : new IntegerMeanState(),
      );
    case "min":
    case "max":
      return bindExtreme(node, type, type, node.name === "min");
    case "argMin":
    case "argMax":
      return bindExtreme(node, type, by, node.name === "argMin");
    case "first":
    case "last": {
      const choice = node.name;
      return valueOf(type, () => new ChosenRowState(columnTypeOf(type), choice));
    }
    case "mode":
      return valueOf(type, () => new ModeState(columnTypeOf(type)));
    case "list": {
      const list = new List(new Field("item", type, true));
      return result(list, () => new ListState(columnTypeOf(type)), false);
    }
    case "median":
      return bindQuantile(node, type, 0.5);
    case "quantile":
      return bindQuantile(node, type, shareOf(node));
    case "std":
    case "variance": {
      checkNumber(node, 0, type);
      const of = node.name;
      return result(new Float64(), () => new SpreadState(of, 1));
    }
    case "corr":
      checkNumber(node, 0, type);
      checkNumber(node, 1, by);
      return result(new Float64(), () => new CorrelationState());
    case "any":
    case "all": {
      if (!DataType.isBool(type)) refuse(node, 0, type, "true and false");
      const of = node.name;
      return result(new Bool(), () => new TruthState(of));
    }
  }
}

/** Returns an aggregate whose result is one of the values. */
function valueOf(type: DataType, newState: () => GroupState): BoundAggregate {
  return { type, nullable: true, isValue: true, newState };
}

function bindSum(node: AggregateNode, type: DataType, isLenient: boolean): BoundAggregate {
  if (classOf(type) === "decimal") {
    const { scale } = decimalDigits(type)!;
    return {
      type: decimalType({ precision: MAX_DIGITS, scale }),
      nullable: true,
      newState: () => new DecimalSumState(isLenient),
    };
  }
  if (isFloat(type)) {
    return { type: new Float64(), nullable: true, newState: () => new FloatSumState() };
  }
  const isDuration = DataType.isDuration(type);
  if (!isDuration) checkNumber(node, 0, type);
  const signed = !(DataType.isInt(type) && type.bitWidth === 64 && !type.isSigned);
  return {
    type: isDuration ? type : signed ? new Int64() : new Uint64(),
    nullable: true,
    newState: () => new IntegerSumState(signed, isLenient),
  };
}

function bindExtreme(
  node: AggregateNode,
  type: DataType,
  by: DataType,
  least: boolean,
): BoundAggregate {
  const place = node.args.length - 1;
  if (classOf(by) === "other") refuse(node, place, by, "values in an order");
  const ofType: ColumnType = columnTypeOf(type);
  return valueOf(type, () => new ChosenRowState(ofType, least ? "least" : "greatest"));
}

function bindQuantile(node: AggregateNode, type: DataType, share: number): BoundAggregate {
  checkNumber(node, 0, type);
  const ofType = columnTypeOf(type);
  return {
    type: new Float64(),
    nullable: true,
    newState: () => new QuantileState(ofType, share),
  };
}

function shareOf(node: AggregateNode): number {
  const [, share] = node.args;
  const value = share?.node === "literal" ? share.value : undefined;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  return failAt(share ?? node, "The share of quantile() is a number from 0 to 1, such as 0.9");
}

function checkNumber(node: AggregateNode, place: number, type: DataType): void {
  const kind = classOf(type);
  if (kind !== "int" && kind !== "float" && kind !== "bool") refuse(node, place, type, "numbers");
}

function refuse(node: AggregateNode, place: number, type: DataType, what: string): never {
  const arg = node.args[place]!;
  const hint = what !== "numbers"
    ? ""
    : classOf(type) === "text"
    ? "; cast() makes numbers of text"
    : classOf(type) === "decimal"
    ? '; cast("float64") makes floats of decimals'
    : "";
  return failAt(arg, `${node.name}() takes ${what}, ${printNode(arg)} is ${typeName(type)}${hint}`);
}

function isFloat(type: DataType): boolean {
  return DataType.isFloat(type);
}
