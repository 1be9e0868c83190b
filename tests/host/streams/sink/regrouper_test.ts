import { assertEquals, assertThrows } from "@std/assert";
import {
  type BatchInfo,
  type Grouping,
  type Part,
  Regrouper,
} from "../../../../streams/sink/regrouper.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** Rows that are numbers: each is its own size in bytes, and its own value. */
function infoOf(rows: readonly number[], before: number | undefined): BatchInfo {
  return {
    numRows: rows.length,
    rowBytes: (start, stop) => rows.slice(start, stop).reduce((sum, size) => sum + size, 0),
    changes: [...rows.keys()].filter((row) => {
      const previous = row === 0 ? before : rows[row - 1];
      return previous !== undefined && previous !== rows[row];
    }),
  };
}

/** The rows of each group, and the message of the error behind them. */
function groupsOf(grouping: Grouping, batches: readonly (readonly number[])[]): unknown[] {
  const regrouper = new Regrouper(grouping);
  const groups: unknown[] = [];
  let open: number[] = [];
  let before: number | undefined;
  try {
    for (const rows of batches) {
      for (const { start, stop, isLast } of regrouper.push(infoOf(rows, before))) {
        open.push(...rows.slice(start, stop));
        if (isLast) {
          groups.push(open);
          open = [];
        }
      }
      before = rows.at(-1) ?? before;
    }
    if (regrouper.end()) groups.push(open);
    else assertEquals(open, []);
  } catch (error) {
    groups.push((error as Error).message);
  }
  return groups;
}

const sum = (rows: readonly number[]) => rows.reduce((total, row) => total + row, 0);
const whole = { rows: Infinity, bytes: Infinity };

/** One row after the other, by the sentences that say where groups end. */
function byHand(grouping: Grouping, rows: readonly number[]): unknown[] {
  const groups: number[][] = [];
  let open: number[] = [];
  const close = () => {
    groups.push(open);
    open = [];
  };
  for (const [index, row] of rows.entries()) {
    if (grouping.kind === "size") {
      const isFull = open.length === grouping.rows || sum(open) + row > grouping.bytes;
      if (open.length > 0 && isFull) close();
    } else if (grouping.kind === "runs") {
      const isFull = open.length >= grouping.rows || sum(open) >= grouping.bytes;
      if (open.length > 0 && isFull && row !== rows[index - 1]) close();
    } else {
      if (groups.length === grouping.sizes.length) {
        const most = sum(grouping.sizes);
        return [...groups, `The sizes of batches add up to ${most} rows, but the input has more`];
      }
    }
    open.push(row);
    if (grouping.kind === "sizes" && open.length === grouping.sizes[groups.length]) close();
  }
  if (grouping.kind === "sizes") {
    const most = sum(grouping.sizes);
    return rows.length === most ? groups : [
      ...groups,
      `The sizes of batches add up to ${most} rows, but the input has ${rows.length}`,
    ];
  }
  return open.length === 0 ? groups : [...groups, open];
}

const table: readonly [
  title: string,
  grouping: Grouping,
  batches: readonly (readonly number[])[],
  groups: unknown[],
][] = [
  ["by rows", { kind: "size", rows: 2, bytes: Infinity }, [[1, 1, 1], [], [1, 1]], [
    [1, 1],
    [1, 1],
    [1],
  ]],
  ["by bytes", { kind: "size", rows: Infinity, bytes: 6 }, [[3, 3], [3]], [[3, 3], [3]]],
  ["by whichever comes first", { kind: "size", rows: 2, bytes: 5 }, [[1, 9, 1], [1]], [
    [1],
    [9],
    [1, 1],
  ]],
  ["of no rows", { kind: "size", rows: 2, bytes: 5 }, [[], []], []],
  [
    "a row that passes the bytes alone",
    { kind: "size", rows: Infinity, bytes: 5 },
    [[100], [100, 1, 1]],
    [[100], [100], [1, 1]],
  ],
  ["to one", { kind: "size", ...whole }, [[1], [2, 3], [4]], [[1, 2, 3, 4]]],
  ["by sizes", { kind: "sizes", sizes: [3, 1, 2] }, [[1, 2], [3, 4, 5], [6]], [
    [1, 2, 3],
    [4],
    [5, 6],
  ]],
  ["by sizes of too few rows", { kind: "sizes", sizes: [2, 3] }, [[1, 2, 3]], [
    [1, 2],
    "The sizes of batches add up to 5 rows, but the input has 3",
  ]],
  ["by sizes of no rows", { kind: "sizes", sizes: [2] }, [], [
    "The sizes of batches add up to 2 rows, but the input has 0",
  ]],
  ["by sizes of too many rows", { kind: "sizes", sizes: [2] }, [[1, 2, 3]], [
    [1, 2],
    "The sizes of batches add up to 2 rows, but the input has more",
  ]],
  ["by changes", { kind: "runs", rows: 1, bytes: Infinity }, [[1, 1, 2], [2, 3], [1]], [
    [1, 1],
    [2, 2],
    [3],
    [1],
  ]],
  ["by changes between batches", { kind: "runs", rows: 1, bytes: Infinity }, [[1], [2], [2]], [
    [1],
    [2, 2],
  ]],
  ["by changes from 3 rows on", { kind: "runs", rows: 3, bytes: Infinity }, [
    [1, 1, 2, 2, 2],
    [2, 3, 4, 4, 5],
  ], [[1, 1, 2, 2, 2, 2], [3, 4, 4], [5]]],
  ["by changes from 4 bytes on", { kind: "runs", rows: Infinity, bytes: 4 }, [
    [1, 1, 2, 2],
    [9, 9, 1],
  ], [[1, 1, 2, 2], [9, 9], [1]]],
];

for (const [title, grouping, batches, groups] of table) {
  Deno.test(`Regrouper groups ${title}`, () => {
    assertEquals(groupsOf(grouping, batches), groups);
    assertEquals(byHand(grouping, batches.flat()), groups);
  });
}

function randomGrouping(random: SeededRandom, numRows: number): Grouping {
  const kind = random.pick(["size", "sizes", "runs"] as const);
  if (kind === "sizes") {
    const sizes = [];
    for (let left = numRows; left > 0; left -= sizes.at(-1)!) sizes.push(1 + random.below(left));
    if (random.chance(0.3)) sizes.push(1 + random.below(3));
    if (random.chance(0.3)) sizes.shift();
    return { kind, sizes };
  }
  const rows = random.pick([1, 2, 3, 7, Infinity]);
  return { kind, rows, bytes: random.pick([1, 5, 11, 30, Infinity]) };
}

function randomBatches(random: SeededRandom): number[][] {
  const most = random.pick([2, 4, 12]);
  return Array.from(
    { length: random.below(6) },
    () => Array.from({ length: random.below(9) }, () => random.below(most)),
  );
}

Deno.test("groups depend on the rows, not on the batches that they came in", () =>
  forSeeds(1000, (random) => {
    const batches = randomBatches(random);
    const rows = batches.flat();
    const grouping = randomGrouping(random, rows.length);
    assertEquals(groupsOf(grouping, batches), byHand(grouping, rows));
  }));

Deno.test("any regrouping of any regrouping is the rows, and the groups of the last", () =>
  forSeeds(500, (random) => {
    const batches = randomBatches(random);
    const rows = batches.flat();
    const once = groupsOf(randomGrouping(random, rows.length), batches);
    const groups = once.filter((group): group is number[] => Array.isArray(group));
    const kept = groups.flat();
    assertEquals(kept, rows.slice(0, kept.length));
    if (groups.length === once.length) assertEquals(kept, rows);
    const grouping = randomGrouping(random, kept.length);
    assertEquals(groupsOf(grouping, groups), byHand(grouping, kept));
  }));

const partsOf = (grouping: Grouping, info: BatchInfo): Part[] => [
  ...new Regrouper(grouping).push(info),
];

Deno.test("a batch of the right size is one part from its first row to its last", () => {
  const isWhole = [{ start: 0, stop: 2, isLast: true }];
  const info = infoOf([1, 2], undefined);
  assertEquals(partsOf({ kind: "size", rows: 2, bytes: Infinity }, info), isWhole);
  assertEquals(partsOf({ kind: "size", rows: 2, bytes: 3 }, info), isWhole);
  assertEquals(partsOf({ kind: "sizes", sizes: [2] }, info), isWhole);
});

Deno.test("bytes are asked for only where they decide, and changes only of groups of equal rows", () => {
  const info: BatchInfo = {
    numRows: 3,
    rowBytes: () => {
      throw new Error("bytes");
    },
    get changes(): never {
      throw new Error("changes");
    },
  };
  assertEquals(partsOf({ kind: "size", rows: 2, bytes: Infinity }, info).length, 2);
  assertEquals(partsOf({ kind: "size", ...whole }, info).length, 1);
  assertEquals(partsOf({ kind: "sizes", sizes: [1, 2] }, info).length, 2);
  assertThrows(() => partsOf({ kind: "size", rows: 2, bytes: 9 }, info), Error, "bytes");
  assertThrows(() => partsOf({ kind: "runs", rows: 1, bytes: Infinity }, info), Error, "changes");
});
