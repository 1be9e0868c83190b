/**
 * What calls of operations mean, one row at a time: an oracle. Values are as in `arrow_values.ts`.
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
import type { ExprNode } from "../../../ops/syntax/node.ts";
import type { Literal } from "../../../ops/syntax/literal.ts";
import {
  checkedText,
  type ExprModel,
  ModelRowError,
  MOST_BYTES,
  MOST_CHARS,
  refuse,
  TooLarge,
} from "./expr_model_types.ts";
import { castModel, type CastValue, isCastable } from "./cast_model.ts";
import { partsModel, textModel } from "./text_model.ts";
import { floatOf, integerOf } from "../values/number_texts.ts";
import {
  isElsewhere,
  isoDay,
  isoTime,
  perSecond,
  readIso,
  readTime,
  timeOf,
  toLocal,
  writeTime,
} from "./time_model.ts";

type CallNode = ExprNode & { node: "call" };

/** A call; `model` has the meaning of its parts. Inside of `orNull()` it is lenient, and fails nowhere. */
export function modelCall(
  node: CallNode,
  model: (child: ExprNode) => ExprModel,
  isLenient = false,
): ExprModel {
  const { name } = node.op.spec;
  const text = model(node.text);
  const args = node.op.parameters.map((_, index) => argumentModel(node.args[index], model));
  const isStrict = !isLenient && node.op.spec.isStrict?.({ strict: strictOf(node) }) === true;
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

/** The results of conversions to other types than text. */
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

/** The result of a call for one row. */
function rowCall({ op, part, args }: CallNode, on: DataType | null): RowCall {
  const { name, conversion } = op.spec;
  if (on === null) return refuse("a call on null");
  if (conversion !== undefined) return castCall(conversion.type({ type: literalOf(args[0]) }), on);
  if (Object.hasOwn(conversionModel, name)) {
    const hasNoWord = name === "format" && String(literalOf(args[0])).includes("%Z");
    if (isElsewhere(on) && (name === "toTimestamp" || hasNoWord)) {
      return refuse(`${name} in a time zone`);
    }
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

function castCall(type: DataType, on: DataType): RowCall {
  if (!isCastable(on, type)) return refuse(`a cast from ${on} to ${type}`);
  return { type, value: (value) => castModel(value as CastValue, on, type) };
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
    case "contains":
      return {
        type: new Bool(),
        value: (list, [target]) => (list as Items).includes(target as string),
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

type Text = string | null;
/** A number of a column of integers. */
type Integer = number | bigint;

/** Each of them on a value of a type that is not null, and its arguments. */
const conversionModel: Readonly<
  Record<string, (value: never, type: DataType, ...args: never[]) => unknown>
> = {
  toString: (value: unknown, type: DataType) => textOf(value, type),
  toInteger(value: string | Integer, type): bigint | null {
    if (typeof value === "string") return integerOf(value);
    if (DataType.isFloat(type)) {
      return Number.isFinite(value) ? fitting(BigInt(Math.trunc(Number(value)))) : null;
    }
    return fitting(BigInt(value));
  },
  toFloat: (value: string | Integer) => typeof value === "string" ? floatOf(value) : Number(value),
  toBoolean: (text: string) => /^(true|false)$/i.test(text) ? /^t/i.test(text) : null,
  isInteger: (text: string) => integerOf(text) !== null,
  isFloat: (text: string) => floatOf(text) !== null,
  hexToInteger(text: string): bigint | null {
    const [, sign, digits] = /^([+-]?)(?:0x)?([0-9a-f]+)$/i.exec(text) ?? [];
    if (digits === undefined) return null;
    return fitting(BigInt(`0x${digits}`) * (sign === "-" ? -1n : 1n));
  },
  integerToHex: (value: Integer) => value.toString(16),
  ipv4ToInteger(text: string): bigint | null {
    const parts = text.split(".");
    const isPart = (part: string) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256;
    if (parts.length !== 4 || !parts.every(isPart)) return null;
    return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  },
  integerToIpv4(value: Integer): Text {
    const number = BigInt(value);
    if (number < 0n || number > 0xffffffffn) return null;
    return [24n, 16n, 8n, 0n].map((by) => (number >> by) & 255n).join(".");
  },
  urlEncode: (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => {
      const char = String.fromCharCode(byte);
      return /[\w.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join(""),
  urlDecode(text: string): string {
    const bytes = text.match(/%[0-9a-f]{2}|[^]/giu)?.flatMap((part) =>
      part.length === 3 && part.startsWith("%")
        ? [parseInt(part.slice(1), 16)]
        : [...new TextEncoder().encode(part)]
    );
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes ?? []));
  },
  toDate(value: string | Integer, type, format: Text = null): number | null {
    if (typeof value === "string") {
      const micros = format !== null
        ? readTime(value, format)
        : /^[+-]?\d+-..-..$/.test(value)
        ? readIso(value)
        : null;
      return micros === null ? null : Number(floor(micros, 86_400_000_000n));
    }
    const day = floor(toLocal(timeOf(value, type), type), 86_400n * perSecond(type));
    return BigInt.asIntN(32, day) === day ? Number(day) : null;
  },
  toTimestamp(value: string | Integer, type, format: Text = null): bigint | null {
    if (typeof value === "string") {
      const micros = format === null ? readIso(value) : readTime(value, format);
      return micros === null ? null : fitting(micros);
    }
    return fitting(floor(timeOf(value, type) * 1_000_000n, perSecond(type)));
  },
  format: (value: Integer, type, pattern: string) => writeTime(value, type, pattern),
};

function textOf(value: unknown, type: DataType): Text {
  if (DataType.isFloat(type)) return floatText(value as number, type.precision === 1);
  if (DataType.isDate(type)) return isoDay(value as Integer, type);
  if (DataType.isTimestamp(type)) return isoTime(value as bigint, type);
  return String(value);
}

/** The fewest digits that read back as the same float, as JavaScript writes them. */
function floatText(value: number, isNarrow: boolean): string {
  let nearest = value;
  if (isNarrow && Number.isFinite(value)) {
    const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => Number(value.toPrecision(count)));
    nearest = digits.find((number) => Object.is(Math.fround(number), value)) ?? value;
  }
  const own = Object.is(nearest, -0) ? "-0" : String(nearest);
  return /^-?\d+$/.test(own) ? `${own}.0` : own;
}

function fitting(value: bigint): bigint | null {
  return BigInt.asIntN(64, value) === value ? value : null;
}

function floor(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
