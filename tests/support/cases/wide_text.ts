/** Cases of text around bytes 2^31 and 2^32 of its buffer, judged by the same text at the start of one. */

import { assertEquals } from "@std/assert";
import { Field, Int32, Schema, Utf8 } from "apache-arrow";
import type { Backend } from "../../../gpu/backend.ts";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { createHostBackend } from "../../../gpu/host/backend.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { expr } from "../../../ops/expr/parse.ts";
import { joinOn } from "../joins/backend_joins.ts";
import { atMost, tableRequest } from "../joins/table_request.ts";
import { BOOL, INT32 } from "../kernels/trees.ts";
import { type Plain, plainOf } from "../models/column_model.ts";
import { someOf } from "../random/test_size.ts";
import { columnOf, stringColumn, textAround } from "../values/host_columns.ts";
import type { BackendCase } from "./backend_case.ts";

/** Rows of text, some of them null, with characters of 1 to 4 bytes. */
export const TEXTS: readonly (string | null)[] = Array.from({ length: 400 }, (_, row) => {
  if (row % 11 === 3) return null;
  const words = ["fox", "straße", "hen and egg", "", "漢字", "a 😀 b"];
  return `${words[row % 6]} ${"fox, ".repeat(row % 5)}${row % 40}`;
});

const KEYS = TEXTS.map((text, row) => text && `${text.slice(0, 3)}${row % 7}`);
const PLACES = [2 ** 31, 2 ** 32];

const EXPRESSIONS = [
  "text.upper()",
  "text.slice(1, -1)",
  'text.contains("fox")',
  'text + "!"',
  'text.replace("fox", "hen")',
  'text.splitPart(" ", 1)',
  "text.repeat(n)",
  "text.length() + n",
];

const host = createHostBackend({ threads: 1 });

/** Registers all cases of text with wide offsets. */
export function wideTextCases(test: BackendCase): void {
  test("text around 2^31 and 2^32 goes through kernels", async ({ backend }) => {
    const expected = await evaluateTexts(host, stringColumn(TEXTS));
    for (const place of someOf(PLACES, 1)) {
      assertEquals(await evaluateTexts(backend, textAround(place, TEXTS)), expected, `at ${place}`);
    }
  });

  test("text around 2^31 and 2^32 is filtered", async ({ backend }) => {
    const mask = columnOf(BOOL, TEXTS.map((_, row) => row % 5 === 1 ? null : row % 3 > 0));
    const expected = await filterTexts(host, stringColumn(TEXTS), mask);
    for (const place of someOf(PLACES, 1)) {
      assertEquals(
        await filterTexts(backend, textAround(place, TEXTS), mask),
        expected,
        `at ${place}`,
      );
    }
  });

  test("text around 2^31 and 2^32 is key, payload and passenger of joins", async ({ backend }) => {
    const [buildKeys, payload] = [KEYS.slice(0, 60), TEXTS.slice(0, 60)];
    for (const how of ["inner", "left"] as const) {
      const joined = (backend: Backend, make: (texts: readonly (string | null)[]) => HostColumn) =>
        joinTexts(backend, [make(buildKeys), make(payload)], [make(KEYS), make(TEXTS)], how);
      const expected = await joined(host, stringColumn);
      for (const place of someOf(PLACES, 1)) {
        const rows = await joined(backend, (texts) => textAround(place, texts));
        assertEquals(rows, expected, `${how} at ${place}`);
      }
    }
  });
}

/** Returns the values of some expressions of text. */
export async function evaluateTexts(backend: Backend, text: HostColumn): Promise<Plain[][]> {
  const schema = new Schema([new Field("text", new Utf8()), new Field("n", new Int32())]);
  const bound = EXPRESSIONS.map((source) => bindExpr(expr(source), schema));
  const { program, inputs } = compileExprs(bound, { fuse: true, names: ["text", "n"] });
  const n = columnOf(INT32, Array.from({ length: text.length }, (_, row) => row % 4));
  const columns = inputs.map((at) => [text, n][at]!);
  const results = (await backend.evaluate(program, columns, text.length)).columns;
  const rows = (await backend.download(results)).map(plainOf);
  results.forEach(releaseColumn);
  return rows;
}

/** Returns the texts that a mask keeps. */
export async function filterTexts(
  backend: Backend,
  text: HostColumn,
  mask: HostColumn,
): Promise<Plain[][]> {
  const { columns } = await backend.filter([text], mask, text.length);
  const rows = (await backend.download(columns)).map(plainOf);
  columns.forEach(releaseColumn);
  return rows;
}

/** Joins the columns of two sides by the first one of each; returns those of the probe side first. */
export async function joinTexts(
  backend: Backend,
  build: readonly HostColumn[],
  probe: readonly HostColumn[],
  how: "inner" | "left",
): Promise<Plain[][]> {
  const [buildKey, ...payload] = build;
  const request = tableRequest(buildKey!, { kind: "string" }, payload, how);
  const { probed } = await joinOn(
    backend,
    request,
    [{ key: probe[0]!, columns: probe }],
    atMost(500),
  );
  return probed.columns.map(plainOf);
}
