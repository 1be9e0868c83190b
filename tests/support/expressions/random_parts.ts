/** Parts of nested columns, judged by the values that the columns were made of. */

import { assertEquals } from "@std/assert";
import { DataType, Field, List, Struct } from "apache-arrow";
import {
  col,
  type Engine,
  type Expr,
  expr,
  filter,
  fromBatches,
  printExpr,
  withColumns,
} from "../../../mod.ts";
import { Draws, forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { batchOfColumns, columnOfValues } from "../values/arrow_columns.ts";
import { type TypeKind, typeOfKind } from "../values/arrow_types.ts";
import { randomValue, valuesOf } from "../values/arrow_values.ts";

const LEAVES: readonly TypeKind[] = [
  "bool",
  "int",
  "float",
  "decimal",
  "day",
  "timestamp",
  "utf8",
  "largeUtf8",
  "utf8View",
  "binary",
  "dictionary",
];

const NAMES = ["a", "post code", "geo", "a.b", "right"];

/** A random type, nested up to a depth. */
function nestedType(random: SeededRandom, depth: number): DataType {
  const kind = depth === 0 ? "leaf" : random.pick(["struct", "struct", "list", "leaf"]);
  if (kind === "leaf") {
    return typeOfKind(random, random.pick(LEAVES), ["utf8"], 1);
  }
  const child = (name: string) => new Field(name, nestedType(random, depth - 1), true);
  if (kind === "list") return new List(child("item"));
  return new Struct(NAMES.slice(0, 1 + random.below(NAMES.length)).map(child));
}

/** A part of a column: as an expression, its type, and its values. */
interface Part {
  readonly expr: Expr;
  readonly type: DataType;
  readonly values: readonly unknown[];
}

/** Goes from a column into a random part of it. */
function partOf(random: SeededRandom, whole: Part, draws: Draws): Part {
  const { type, values } = whole;
  if (values.some((value) => value === null)) draws.add("null above");
  if (DataType.isStruct(type)) {
    const { name, type: inner } = random.pick(type.children as Field[]);
    draws.add(DataType.isDictionary(inner) ? "dictionary" : "field");
    const fields = values.map((value) => (value as Record<string, unknown> | null)?.[name] ?? null);
    return next(random, { expr: whole.expr.field(name), type: inner, values: fields }, draws);
  }
  const index = random.below(6) - 3;
  const items = values.map((value) => (value as unknown[] | null)?.at(index) ?? null);
  draws.add(index < 0 ? "from the end" : "item");
  const [{ type: inner }] = type.children as [Field];
  return next(random, { expr: whole.expr.get(index), type: inner, values: items }, draws);
}

function next(random: SeededRandom, part: Part, draws: Draws): Part {
  const { type } = part;
  const goesOn = (DataType.isStruct(type) || DataType.isList(type)) && random.chance(0.8);
  if (goesOn) draws.add("nested");
  return goesOn ? partOf(random, part, draws) : part;
}

/** Draws nested columns, and compares random parts of them with the values. */
export async function checkRandomParts(engine: Engine, rounds: number): Promise<void> {
  const draws = new Draws([
    ...["field", "item", "from the end", "nested", "null above", "dictionary", "taken"],
  ]);
  await forSeeds(rounds, async (random) => {
    let type = nestedType(random, 3);
    while (!DataType.isStruct(type) && !DataType.isList(type)) type = nestedType(random, 3);
    const numRows = random.pick([1, 9, 70]);
    const batches = Array.from({ length: 2 }, () => {
      const values = Array.from({ length: numRows }, () => randomValue(random, type));
      const batch = batchOfColumns(
        [new Field("whole", type, true)],
        [columnOfValues(random, type, values)],
      );
      return { values, batch };
    });
    const values = batches.flatMap(({ values }) => values);
    const part = partOf(random, { expr: col("whole"), type, values }, draws);
    const text = printExpr(part.expr);
    assertEquals(printExpr(expr(text)), text, "printed and parsed");
    const source = () => fromBatches(batches.map(({ batch }) => batch), { engine });
    const rows: unknown[] = [];
    const computed = source().pipeThrough(
      withColumns({ part: expr(text), none: part.expr.isNull() }),
    );
    for await (const { data } of computed) rows.push(...valuesOf(data.children[1]!));
    assertEquals(rows, part.values, text);
    const kept: unknown[] = [];
    const filtered = source().pipeThrough(filter(part.expr.isNull().not()))
      .pipeThrough(withColumns({ part: part.expr }));
    for await (const { data } of filtered) kept.push(...valuesOf(data.children[1]!));
    const there = part.values.filter((value) => value !== null);
    if (there.length > 0) draws.add("taken");
    assertEquals(kept, there, `${text}, filtered`);
  }, draws);
}
