/** Random expressions that convert back and forth, over the columns of `CONVERSION_COLUMNS`. */

import { DateDay, Float64, Int64, TimestampMicrosecond, Utf8 } from "apache-arrow";
import { col, type Expr, lit, when } from "../../../ops/expr/expr.ts";
import { randomFloat, randomInteger } from "../values/number_texts.ts";
import type { SeededRandom } from "./seeded_random.ts";
import type { TypedColumns } from "../kernels/programs.ts";

type Kind = "text" | "int" | "float" | "date" | "time" | "bool";

/** Random columns of each kind, with nulls. */
export function randomConversionColumns(random: SeededRandom, numRows: number): TypedColumns {
  const column = <T>(make: () => T) =>
    Array.from({ length: numRows }, () => random.chance(0.15) ? null : make());
  const text = () => {
    switch (random.below(4)) {
      case 0:
        return randomInteger(random);
      case 1:
        return String(randomFloat(random));
      case 2:
        return new Date(random.next() * 4e12 - 2e12).toISOString().slice(
          0,
          random.pick([10, 16, 23]),
        );
      default:
        return random.pick(["true", "FALSE", "", "1.2.3.4", "%C3%A9", "é", "ff"]);
    }
  };
  const integer = () => BigInt(Math.floor((random.next() - 0.5) * 2 ** (1 + random.below(52))));
  return {
    text: [new Utf8(), column(text)],
    int: [new Int64(), column(integer)],
    float: [new Float64(), column(() => (random.next() - 0.5) * 2 ** random.below(66))],
    date: [new DateDay(), column(() => random.below(40_000) - 10_000)],
    time: [new TimestampMicrosecond(), column(() => integer() * 1000n)],
  };
}

/** A random expression of a kind. */
export function randomConversion(random: SeededRandom, kind: Kind, depth: number): Expr {
  if (depth === 0) return kind === "bool" ? col("text").isInteger() : col(kind);
  const of = (other: Kind) => randomConversion(random, other, depth - 1);
  if (kind !== "bool" && random.chance(0.2)) {
    return random.chance(0.5) ? of(kind).fillNull(of(kind)) : when(of("bool"), of(kind), of(kind));
  }
  return random.pick(MAKERS[kind])(of);
}

const MAKERS: Readonly<Record<Kind, readonly ((of: (kind: Kind) => Expr) => Expr)[]>> = {
  text: [
    (of) => of("int").toString(),
    (of) => of("float").toString(),
    (of) => of("date").toString(),
    (of) => of("time").toString(),
    (of) => of("bool").toString(),
    (of) => of("date").format("%d.%m.%Y"),
    (of) => of("time").format("%Y-%m-%dT%H:%M"),
    (of) => of("int").format(",d"),
    (of) => of("float").format("+012.3e"),
    (of) => of("int").integerToHex(),
    (of) => of("text").urlEncode().upper(),
    (of) => of("text").urlDecode(),
    (of) => of("text").add(of("text")),
    (of) => of("text").slice(0, 7),
  ],
  int: [
    (of) => of("text").toInteger(),
    (of) => of("text").hexToInteger(),
    (of) => of("text").ipv4ToInteger(),
    (of) => of("float").toInteger(),
    (of) => of("int").add(lit(41)),
    (of) => of("text").length().toInteger(),
  ],
  float: [
    (of) => of("text").toFloat(),
    (of) => of("int").toFloat(),
    (of) => of("float").add(of("float")),
    (of) => of("float").add(0.5),
  ],
  date: [
    (of) => of("text").toDate(),
    (of) => of("text").slice(0, 10).toDate(),
    (of) => of("text").toDate("%d.%m.%Y"),
    (of) => of("time").toDate(),
  ],
  time: [
    (of) => of("text").toTimestamp(),
    (of) => of("text").toTimestamp("%Y-%m-%dT%H:%M"),
    (of) => of("date").toTimestamp(),
  ],
  bool: [
    (of) => of("text").isInteger(),
    (of) => of("text").isFloat(),
    (of) => of("text").toBoolean(),
    (of) => of("int").gt(of("int")),
    (of) => of("float").le(of("float")),
    (of) => of("date").eq(of("date")),
    (of) => of("time").lt(of("time")),
    (of) => of("int").isNull(),
  ],
};

/** All kinds. */
export const CONVERSION_KINDS = Object.keys(MAKERS) as readonly Kind[];
