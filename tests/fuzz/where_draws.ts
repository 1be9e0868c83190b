/** Random joins by a condition as steps of a pipeline. */

import { col, type Expr, printExpr, right } from "../../ops/expr/expr.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { substituteColumns } from "../../ops/expr/rewrite.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { typeOf } from "./case_types.ts";
import type { CaseColumn, CaseStep, CaseTable } from "./fuzz_case.ts";
import { partnerTypes } from "./join_keys.ts";
import type { ModelTable } from "./model_table.ts";
import { ExprMaker, kindOf } from "./random_expr.ts";
import { partnerOf } from "./random_join.ts";
import { inBatches, randomTable } from "./random_table.ts";
import { nameInPairs } from "./where_join_model.ts";

/** A column of the stream and one of the build side that have values in common. */
interface Pair {
  readonly left: ModelColumn;
  readonly right: CaseColumn;
}

/** The columns of both sides, for conditions. */
interface Sides {
  readonly left: ModelTable;
  readonly right: CaseTable;
  readonly pairs: readonly Pair[];
}

/** A join by a condition with a small table. */
export function whereRows(random: SeededRandom, left: ModelTable): CaseStep[] | undefined {
  const plain = randomTable(random, random.pick([1, 1, 2]), random.pick(["", "", "r_"]));
  const lefts = pairedColumns(random, left).slice(0, plain.columns.length);
  const pairs = lefts.map((column, index) => ({
    left: column,
    right: partnerOf(random, column, plain.columns[index]!, false),
  }));
  const rest = plain.columns.slice(pairs.length, pairs.length + 1 + random.below(2));
  const columns = [...pairs.map(({ right }) => right), ...rest];
  const table = inBatches(random, columns, plain.batches.map(({ rows }) => rows));
  const makers = [comparison, comparison, range, range, computed, ofOneSide, ofOneSide, ofBoth];
  const parts = Array.from(
    { length: random.pick([1, 1, 2, 2, 3]) },
    () => changed(random, random.pick(makers)(random, { left, right: table, pairs })),
  ).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return [{
    do: "joinWhere",
    table,
    where: printExpr(parts.slice(1).reduce((all, part) => all.and(part), parts[0]!)),
    ...(random.chance(0.5) ? { how: random.pick(["left", "left", "inner"] as const) } : {}),
    ...(random.chance(0.2) ? { suffix: "_2" } : {}),
  }];
}

/** Columns of the stream that are compared; one comes twice, so that it has two bounds. */
function pairedColumns(random: SeededRandom, { columns }: ModelTable): ModelColumn[] {
  const keys = columns.filter(({ type }) => partnerTypes(type).length > 0)
    .sort(() => random.next() - 0.5);
  const unordered = keys.filter(({ type }) => !hasOrder(type));
  if (unordered.length > 0 && random.chance(0.5)) return unordered.slice(0, 1);
  const [bounded] = keys.filter(({ type }) => hasOrder(type));
  return bounded !== undefined && random.chance(0.6)
    ? [bounded, bounded, ...keys.filter((column) => column !== bounded).slice(0, 1)]
    : keys.slice(0, 2);
}

function hasOrder(type: ModelColumn["type"]): boolean {
  return !["list", "hashes", undefined].includes(kindOf(type));
}

type Order = "lt" | "le" | "gt" | "ge";
const ORDERS: readonly Order[] = ["lt", "le", "gt", "ge"];

/** A comparison of both sides, in either direction. */
function comparison(random: SeededRandom, { pairs }: Sides): Expr | undefined {
  const pair = random.pick(pairs);
  if (pair === undefined) return undefined;
  const sides = [col(pair.left.name), right(pair.right.name)] as const;
  const [one, other] = random.chance(0.6) ? sides : sides.toReversed() as [Expr, Expr];
  const isOrdered = hasOrder(pair.left.type) && hasOrder(typeOf(pair.right.type));
  if (!isOrdered || random.chance(0.4)) return one.eq(other);
  return one[random.pick([...ORDERS, "ne"] as const)](other);
}

/** Two bounds of one value, on either side. */
function range(random: SeededRandom, { pairs }: Sides): Expr | undefined {
  const bounded = pairs.filter(({ left }) => hasOrder(left.type));
  if (bounded.length === 0) return undefined;
  const [first, other] = [random.pick(bounded), random.pick(bounded)];
  const lower = right(first.right.name)[random.pick(["lt", "le"] as const)](col(first.left.name));
  return lower.and(
    col(other.left.name)[random.pick(["lt", "le"] as const)](
      right(other.right.name),
    ),
  );
}

/** A comparison of what is computed of both sides. */
function computed(random: SeededRandom, { pairs }: Sides): Expr | undefined {
  const pair = random.pick(pairs);
  if (pair === undefined) return undefined;
  const [one, other] = [col(pair.left.name), right(pair.right.name)];
  const kind = kindOf(pair.left.type);
  if (kind !== kindOf(typeOf(pair.right.type))) return undefined;
  const op = random.pick([...ORDERS, "eq"] as const);
  if (kind === "int" || kind === "float") {
    return random.chance(0.5) ? one.add(random.below(4))[op](other) : one[op](other.add(2));
  }
  if (kind !== "text") return undefined;
  return random.pick([
    () => one.left(2)[op](other.left(2)),
    () => one[op](other.add("b")),
    () => one.startsWith(other.left(1)),
    () => one.length()[op](other.length()),
    () => one.add(other)[op](other.add(one)),
  ])();
}

/** A condition on the rows of one side alone. */
function ofOneSide(random: SeededRandom, { left, right }: Sides): Expr | undefined {
  const depth = 1 + random.below(2);
  if (random.chance(0.5)) return parsed(new ExprMaker(random, left.columns).text("bool", depth));
  return overBuildSide(new ExprMaker(random, columnsOfPairs(right)).text("bool", depth), right);
}

/** Any condition that reads columns of both sides. */
function ofBoth(random: SeededRandom, { left, right }: Sides): Expr | undefined {
  const maker = new ExprMaker(random, [...left.columns, ...columnsOfPairs(right)]);
  return overBuildSide(maker.text("bool", 1 + random.below(2)), right);
}

function parsed(text: string | undefined): Expr | undefined {
  return text === undefined ? undefined : parseExpr(text);
}

function columnsOfPairs({ columns }: CaseTable): ModelColumn[] {
  return columns.map(({ name, type, values }) => ({
    name: nameInPairs(name),
    type: typeOf(type),
    values,
  }));
}

/** An expression over pairs as one that says which columns are those of the build side. */
function overBuildSide(text: string | undefined, { columns }: CaseTable): Expr | undefined {
  const names = new Map(columns.map(({ name }) => [nameInPairs(name), right(name)]));
  return text === undefined ? undefined : substituteColumns(parseExpr(text), names);
}

/** A part as it is, at times negated or with another way to be true. */
function changed(random: SeededRandom, part: Expr | undefined): Expr | undefined {
  if (part === undefined || random.chance(0.85)) return part;
  return random.chance(0.5) ? part.not() : part.or(part.isNull());
}
