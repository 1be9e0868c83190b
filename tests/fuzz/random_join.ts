/** Random joins as steps of a pipeline. */

import { joinHows } from "../../gpu/join_kind.ts";
import { col, printExpr } from "../../ops/expr/expr.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { jsonOf } from "./case_types.ts";
import type { CaseColumn, CaseKey, CaseStep, CaseTable, JoinStep } from "./fuzz_case.ts";
import { keysOfType, losslessPartners, partnerTypes, sameKey } from "./join_keys.ts";
import { firstRepeated } from "./join_model.ts";
import { randomTable } from "./random_table.ts";
import type { ModelTable } from "./model_table.ts";

/** A join with a table whose keys come from both sides. */
export function joinRows(random: SeededRandom, table: ModelTable): CaseStep[] | undefined {
  const how = random.pick(joinHows);
  const keys = table.columns.filter(({ type }) => partnerTypes(type).length > 0);
  if (keys.length === 0) return undefined;
  const build = randomTable(random, random.pick([1, 1, 2, 4]), random.pick(["", "", "r_"]));
  const isLossless = random.chance(0.1);
  const numKeys = Math.min(random.pick([1, 1, 1, 2, 3]), keys.length, build.columns.length);
  const lefts = keys.toSorted(() => random.next() - 0.5).slice(0, numKeys);
  const rights = lefts.map((left, index) =>
    partnerOf(random, left, build.columns[index]!, isLossless)
  );
  const rest = build.columns.slice(numKeys, numKeys + random.below(3));
  const suffix = random.pick([undefined, "_2"]);
  const common = { do: "join", how, ...(suffix === undefined ? {} : { suffix }) } as const;
  const right: CaseTable = {
    columns: [...rights, ...rest],
    batches: build.batches.map(({ layouts, ...batch }) => ({
      ...batch,
      layouts: Object.fromEntries(
        Object.entries(layouts ?? {}).filter(([name]) =>
          rest.some((column) => column.name === name)
        ),
      ),
    })),
  };
  if (how === "cross") return [{ ...common, on: [], table: right }];
  const nullsEqual = random.chance(0.3);
  return [{
    ...common,
    table: right,
    on: keysOf(random, lefts.map((left, index) => [left, rights[index]!])),
    ...(nullsEqual ? { nullsEqual } : {}),
    ...(isLossless ? { promote: "lossless" } : {}),
    ...validation(random, table, lefts, right, rights, nullsEqual),
    ...(random.chance(0.2) ? { keepKeys: true } : {}),
    ...(random.chance(0.1) ? { order: "none" } : {}),
  }];
}

/** A column of the other side with the keys of this one, or nothing would match. */
export function partnerOf(
  random: SeededRandom,
  { type, values }: ModelColumn,
  column: CaseColumn,
  isLossless: boolean,
): CaseColumn {
  const others = isLossless ? losslessPartners(type) : [];
  const partner = random.pick(
    random.chance(0.5) ? [jsonOf(type)] : others.length > 0 ? others : partnerTypes(type),
  );
  const own = keysOfType(random, partner);
  const keys = column.values.map(() => {
    const shared = values.length > 0 && random.chance(0.7)
      ? sameKey(random.pick(values), partner)
      : undefined;
    return shared !== undefined ? shared : random.chance(0.1) ? null : own();
  });
  return { name: column.name, type: partner, values: keys };
}

/** The keys in one of the forms that `join` takes; text at times by expression. */
function keysOf(
  random: SeededRandom,
  pairs: readonly (readonly [ModelColumn, CaseColumn])[],
): JoinStep["on"] {
  if (random.chance(0.5)) {
    return Object.fromEntries(pairs.map(([left, right]) => [left.name, right.name]));
  }
  return pairs.map(([left, right]) => {
    const isText = right.type === "utf8";
    return [
      isText && random.chance(0.2) ? partOf(random, left.name) : left.name,
      isText && random.chance(0.2) ? partOf(random, right.name) : right.name,
    ];
  });
}

function partOf(random: SeededRandom, name: string): CaseKey {
  const text = printExpr(col(name));
  return { expr: random.pick([`${text}.left(2)`, `${text} + "!"`, `${text}.strip("a")`]) };
}

/** How often a key may come, as is true of both sides: where it is not, what comes before varies. */
function validation(
  random: SeededRandom,
  table: ModelTable,
  lefts: readonly ModelColumn[],
  right: CaseTable,
  rights: readonly CaseColumn[],
  nullsEqual: boolean,
): Pick<JoinStep, "validate"> {
  if (!random.chance(0.3)) return {};
  const isUnique = (columns: readonly { readonly values: readonly unknown[] }[], rows: number) =>
    firstRepeated(columns.map(({ values }) => values), rows, { nullsEqual }) === undefined;
  const numRows = right.batches.reduce((sum, { rows }) => sum + rows, 0);
  const [ofLeft, ofRight] = [isUnique(lefts, table.numRows), isUnique(rights, numRows)];
  return { validate: `${ofLeft ? "1" : "m"}:${ofRight ? "1" : "m"}` };
}
