/** Cases of lists on a backend, judged by plain arrays. */

import { assertEquals, assertRejects } from "@std/assert";
import { Field, Int32, List, Schema, Utf8 } from "apache-arrow";
import { Utf8Error } from "../../../base/errors/value_error.ts";
import { type ColumnType, type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import type { Program, Tree } from "../../../gpu/kernel/tree/tree.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { col, type Expr } from "../../../ops/expr/expr.ts";
import { joinOn } from "../joins/backend_joins.ts";
import { atMost, tableRequest } from "../joins/table_request.ts";
import { callOfSpec, found, LIST, size } from "../kernels/list_functions.ts";
import { column, INT32, isNull, literal } from "../kernels/trees.ts";
import { plainOf, randomColumn } from "../models/column_model.ts";
import { randomText } from "../random/random_text.ts";
import { forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { fewOr } from "../random/test_size.ts";
import { columnOf, stringColumn, type Value, valuesOf } from "../values/host_columns.ts";
import { type BackendCase, takeColumns } from "./backend_case.ts";

/** Registers all cases of lists. */
export function listCases(test: BackendCase): void {
  test("an item that is not UTF-8 is an error with its row, where it is read", async (scope) => {
    const good = columnOf(LIST, [[], ["a"], ["b", "c"]]);
    const [texts] = good.children as [HostColumn];
    const items = { ...texts, data: texts.data.slice() };
    items.data[Number(texts.offsets![Number(good.offsets![2]) + 1])] = 0xff;
    const lists = { ...good, children: [items] };
    const run = async (tree: Tree) => {
      const { columns } = await scope.backend.evaluate(programOf([tree], [lists]), [lists], 3);
      return (await takeColumns(scope, columns)).map(valuesOf);
    };
    assertEquals(await run(callOfSpec(size, column(0, LIST))), [[0, 1, 2]]);
    const reads = callOfSpec(found, column(0, LIST), literal("a"));
    assertEquals((await assertRejects(() => run(reads), Utf8Error)).row, 2);
  });

  test("lists of lists are counted, and are null or not", (scope) =>
    forSeeds(1, async (random) => {
      const type: ColumnType = { kind: "list", item: LIST };
      const lists = randomColumn(random, type, 50);
      const trees = [callOfSpec(size, column(0, type)), isNull(column(0, type))];
      const program = programOf(trees, [lists]);
      assertEquals(program.kernels[0]!.hostOnly, "it reads lists of lists");
      const { columns } = await scope.backend.evaluate(program, [lists], 50);
      assertEquals(scope.backend.counters.uploads, 0);
      const [sizes, nulls] = await takeColumns(scope, columns);
      const expected = plainOf(lists) as (unknown[] | null)[];
      assertEquals(valuesOf(sizes!), expected.map((list) => list?.length ?? null));
      assertEquals(valuesOf(nulls!), expected.map((list) => list === null));
    }), { mayIdle: true });

  test("a filter takes lists that a kernel made", async (scope) => {
    const { backend } = scope;
    const texts = Array.from(
      { length: 500 },
      (_, row) => row % 7 === 3 ? null : "a-é".repeat(row % 5),
    );
    const { program, inputs } = compileOver({ text: stringColumn(texts) }, [
      col("text").split("-"),
      col("text").contains("é"),
      col("text").upper(),
    ]);
    const { columns: made } = await backend.evaluate(program, inputs, texts.length);
    const [lists, mask, upper] = made;
    const kept = await backend.filter([lists!, upper!, lists!], mask!, texts.length);
    for (const { place, type } of kept.columns) assertEquals(place, scope.placeOf(type));
    const results = await takeColumns(scope, kept.columns);
    made.forEach(releaseColumn);
    const expected = texts.filter((text) => text?.includes("é")).map((text) => text!.split("-"));
    assertEquals(results.map(valuesOf), [
      expected,
      expected.map((parts) => parts.join("-").toUpperCase()),
      expected,
    ]);
  });

  for (const how of ["inner", "left"] as const) {
    test(`a join gathers lists of both sides, some of which a kernel made: ${how}`, (scope) =>
      forSeeds(fewOr(1, 4), async (random) => {
        const { backend } = scope;
        const numRows = 1 + random.below(600);
        const keys = Array.from({ length: numRows }, () => random.below(12));
        const texts = keys.map((key) => "a-é".repeat(key % 5));
        const columns = { text: stringColumn(texts), key: columnOf(INT32, keys) };
        const { program, inputs } = compileOver(columns, [
          col("text").split("-"),
          col("text").minhash(2, 1),
        ]);
        const { columns: made } = await backend.evaluate(program, inputs, numRows);
        const hashes = valuesOf((await backend.download(made))[1]!);
        // Some keys twice, so that there are more pairs than rows.
        const most = random.pick([6, 20]);
        const build = Array.from({ length: 9 }, () => random.below(most));
        const payload = randomLists(random, build.length);
        const request = tableRequest(
          columnOf(INT32, build),
          { kind: "int", bits: 32 },
          [columnOf(LIST, payload)],
          how,
        );
        const batch = { key: columns.key, columns: made };
        const { probed } = await joinOn(backend, request, [batch], atMost(random.pick([1e6, 97])));
        made.forEach(releaseColumn);
        if (probed.places.size > 0) assertEquals([...probed.places], [scope.placeOf(LIST)]);
        const results = probed.columns.map(valuesOf);
        const rows = results[0]!.map((_, row) => results.map((values) => values[row]!));
        const expected = keys.flatMap((key, row): Value[][] => {
          const own = [texts[row]!.split("-"), hashes[row]!];
          const matches = build.flatMap((other, at) =>
            other === key ? [[...own, payload[at]!]] : []
          );
          return matches.length === 0 && how === "left" ? [[...own, null]] : matches;
        });
        assertEquals(rows, expected);
      }));
  }
}

/** A program of trees over columns. */
export function programOf(trees: readonly Tree[], inputs: readonly HostColumn[]): Program {
  const outputs = trees.map((tree, k) => ({ label: `result ${k}`, tree }));
  return partitionIntoKernels(inputs.map(({ type }) => type), outputs);
}

/** Compiles expressions over columns of text, int32 and lists of text. */
export function compileOver(columns: Readonly<Record<string, HostColumn>>, exprs: readonly Expr[]) {
  const names = Object.keys(columns);
  const types = {
    string: new Utf8(),
    int: new Int32(),
    list: new List(new Field("item", new Utf8())),
  };
  const schema = new Schema(
    names.map((name) =>
      new Field(name, types[columns[name]!.type.kind as keyof typeof types], true)
    ),
  );
  const { program, inputs } = compileExprs(exprs.map((expr) => bindExpr(expr, schema)), { names });
  return { program, inputs: inputs.map((index) => columns[names[index]!]!) };
}

/** Draws lists of text, with nulls. */
export function randomLists(random: SeededRandom, length: number): Value[] {
  const isAscii = random.chance(0.5);
  const text = () => {
    const drawn = randomText(random, 4);
    return isAscii ? drawn.replace(/[^\0-\x7f]/gu, "b") : drawn;
  };
  const list = () =>
    Array.from({ length: random.below(6) }, () => random.chance(0.2) ? null : text());
  return Array.from({ length }, () => random.chance(0.1) ? null : list());
}
