/**
 * What calls of operations mean, one row at a time: an oracle. Values are as in `arrow_values.ts`.
 *
 * @module
 */

import {
  Bool,
  DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  TimestampMicrosecond,
  Uint32,
  Utf8,
} from "apache-arrow";
import type { ExprNode, Literal } from "../../ops/expr/node.ts";
import { conversionModel } from "./conversion_model.ts";
import {
  checkedText,
  type ExprModel,
  ModelRowError,
  MOST_BYTES,
  MOST_CHARS,
  refuse,
  TooLarge,
} from "./expr_model_types.ts";
import { partsModel, textModel } from "./text_model.ts";

type CallNode = ExprNode & { node: "call" };

/** A call; `model` gives what its parts mean. */
export function modelCall(node: CallNode, model: (child: ExprNode) => ExprModel): ExprModel {
  const { name } = node.op.spec;
  const text = model(node.text);
  const args = node.op.parameters.map((_, index) => argumentModel(node.args[index], model));
  const isStrict = node.op.spec.isStrict?.({ strict: strictOf(node) }) === true;
  const [what] = args;
  const condition = node.args[0]?.node === "data" || typeof literalOf(node.args[0]) === "string"
    ? undefined
    : what;
  if (name === "redact" && condition !== undefined) return hiddenModel(text, condition, args[1]);
  const call = rowCall(node, text.type);
  return {
    type: call.type,
    at(row) {
      const value = text.at(row);
      const given = args.map((arg, index) =>
        arg === undefined ? null : asArgument(node, index, arg.at(row))
      );
      if (value === null || args.some((arg, index) => arg !== undefined && given[index] === null)) {
        return null;
      }
      const result = call.value(value, given);
      if (result === null && isStrict) throw new ModelRowError("ConversionError", row);
      return typeof result === "string" ? checkedText(result) : result;
    },
  };
}

function literalOf(node: ExprNode | undefined): Literal | undefined {
  return node?.node === "literal" ? node.value : undefined;
}

function strictOf({ op, args }: CallNode): boolean | undefined {
  const arg = args[op.parameters.findIndex(({ name }) => name === "strict")];
  return arg?.node === "literal" ? arg.value as boolean : undefined;
}

/** An argument; undefined where it was left out. A literal that is data has no type. */
function argumentModel(
  node: ExprNode | undefined,
  model: (child: ExprNode) => ExprModel,
): { readonly type?: DataType | null; at(row: number): unknown } | undefined {
  if (node === undefined) return undefined;
  if (node.node === "data") {
    const { value } = node;
    const isRegex = typeof value === "object" && value !== null && "regex" in value;
    return { at: () => isRegex ? value.regex : value };
  }
  if (node.node === "literal") return { at: () => node.value };
  return model(node);
}

/** Of integers the nearest one of 32 bits. */
function asArgument({ op }: CallNode, index: number, value: unknown): unknown {
  if (op.parameters[index]?.type !== "i32" || value === null) return value;
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Number(value)));
}

function hiddenModel(
  text: ExprModel,
  condition: { at(row: number): unknown },
  replacement: { at(row: number): unknown } | undefined,
): ExprModel {
  return {
    type: new Utf8(),
    at: (row) =>
      condition.at(row) === false
        ? text.at(row)
        : replacement === undefined
        ? "X"
        : replacement.at(row),
  };
}

interface RowCall {
  readonly type: DataType;
  value(value: unknown, args: readonly unknown[]): unknown;
}

/** What conversions give that do not give text. */
const CONVERTED: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ["toInteger", new Int64()],
  ["hexToInteger", new Int64()],
  ["ipv4ToInteger", new Int64()],
  ["toFloat", new Float64()],
  ["toBoolean", new Bool()],
  ["isInteger", new Bool()],
  ["isFloat", new Bool()],
  ["toDate", new DateDay()],
  ["toTimestamp", new TimestampMicrosecond()],
]);
const RETURNED = { string: new Utf8(), bool: new Bool(), i32: new Int32(), i64: new Int64() };

/** What a call gives for one row. */
function rowCall({ op, part }: CallNode, on: DataType | null): RowCall {
  const { name } = op.spec;
  if (on === null) return refuse("a call on null");
  if (Object.hasOwn(conversionModel, name)) {
    const convert = conversionModel[name] as (...args: unknown[]) => unknown;
    return {
      type: CONVERTED.get(name) ?? new Utf8(),
      value: (value, args) => convert(value, on, ...args),
    };
  }
  if (DataType.isList(on) || DataType.isFixedSizeList(on)) return listCall(name);
  if (!DataType.isUtf8(on)) return refuse(`${name} on ${on}`);
  if (part !== undefined) {
    const parts = partsModel[name as keyof typeof partsModel];
    const index = op.spec.parts!.indexOf(part);
    return {
      type: new Utf8(),
      value: (text, [delimiter]) => parts(text as string, delimiter as string)?.[index] ?? null,
    };
  }
  const model = textModel[name];
  if (model === undefined) return refuse(`${name} has no model`);
  const items = name === "minhash" ? new Uint32() : new Utf8();
  const type = op.returns === "list" || op.returns === "numbers"
    ? new List(new Field("item", items, false))
    : RETURNED[op.returns as keyof typeof RETURNED];
  const value: RowCall["value"] = (text, args) => {
    checkSize(name, text as string, args);
    return model(text as string, ...args);
  };
  return { type, value };
}

type Items = readonly (string | null)[];

function listCall(name: string): RowCall {
  switch (name) {
    case "length":
      return { type: new Int32(), value: (list) => (list as Items).length };
    case "get":
      return {
        type: new Utf8(),
        value: (list, [index]) => (list as Items).at(index as number) ?? null,
      };
    case "join":
      return {
        type: new Utf8(),
        value: (list, [separator, nulls]) =>
          (list as Items).map((item) => item ?? nulls).filter((item) => item !== null)
            .join(separator as string),
      };
    default:
      return refuse(`${name} on a list`);
  }
}

/** What makes texts longer is looked at before it does. */
function checkSize(name: string, text: string, args: readonly unknown[]): void {
  const numBytes = (part: string) => new TextEncoder().encode(part).length;
  const fill = name === "pad" ? String(args[2] ?? " ") : "0";
  const times = name === "repeat" ? Math.max(0, Number(args[0])) : 0;
  const width = name === "pad" || name === "zfill" ? Number(args[0]) : 0;
  const added = Math.max(0, width - [...text].length) * numBytes(fill);
  const size = name === "repeat" ? times * numBytes(text) : numBytes(text) + added;
  if (added + times > 0 && size > MOST_BYTES) throw new ModelRowError("OverflowError", 0);
  if (added + times > 0 && size > MOST_CHARS) throw new TooLarge(name);
}
