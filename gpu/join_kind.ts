/**
 * The kinds of joins, and the rows of each. The schema of the result, the kernels of both backends, the
 * errors and the help of the command line take them from here.
 *
 * First come the rows of the probe side, in its order; each probe batch alone determines its results.
 * Build-only rows come last, in the order of the build side.
 *
 * @module
 */

/** The name of a kind of join. */
export type JoinHow =
  | "inner"
  | "left"
  | "right"
  | "full"
  | "semi"
  | "anti"
  | "right-semi"
  | "right-anti"
  | "cross";

/** The rows of a kind of join. */
export interface JoinKind {
  /** How often a probe row with matches comes out: for each match, once, or never. */
  readonly matchedRows: "each" | "once" | "never";
  /** How often a probe row without a match comes out. */
  readonly unmatchedRows: 0 | 1;
  /** The build-only rows: build rows that come out without a probe row, after all batches. */
  readonly buildOnlyRows: "none" | "unmatched" | "matched";
  /** The help for it, a clause after its name; empty if the name says it. */
  readonly help: string;
}

/** Each kind by the name that users give it. */
export const joinKinds: Readonly<Record<JoinHow, JoinKind>> = {
  inner: { matchedRows: "each", unmatchedRows: 0, buildOnlyRows: "none", help: "" },
  left: {
    matchedRows: "each",
    unmatchedRows: 1,
    buildOnlyRows: "none",
    help: "also the rows of the input without a match",
  },
  right: {
    matchedRows: "each",
    unmatchedRows: 0,
    buildOnlyRows: "unmatched",
    help: "also the rows of FILE without a match",
  },
  full: {
    matchedRows: "each",
    unmatchedRows: 1,
    buildOnlyRows: "unmatched",
    help: "also the rows of either side without a match",
  },
  semi: {
    matchedRows: "once",
    unmatchedRows: 0,
    buildOnlyRows: "none",
    help: "the rows of the input with a match, once each",
  },
  anti: {
    matchedRows: "never",
    unmatchedRows: 1,
    buildOnlyRows: "none",
    help: "the rows of the input without a match",
  },
  "right-semi": {
    matchedRows: "never",
    unmatchedRows: 0,
    buildOnlyRows: "matched",
    help: "the rows of FILE with a match, once each",
  },
  "right-anti": {
    matchedRows: "never",
    unmatchedRows: 0,
    buildOnlyRows: "unmatched",
    help: "the rows of FILE without a match",
  },
  cross: {
    matchedRows: "each",
    unmatchedRows: 0,
    buildOnlyRows: "none",
    help: "every row with every row of FILE",
  },
};

/** The kind of a join without the option. */
export const defaultJoinHow: JoinHow = "inner";

/** The names of all kinds. */
export const joinHows = Object.keys(joinKinds) as readonly JoinHow[];

/** Whether a kind has a name. */
export function isJoinHow(name: unknown): name is JoinHow {
  return joinHows.some((how) => how === name);
}

/** Whether probe rows come out, with the columns of the probe side. */
export function givesProbeRows({ matchedRows, unmatchedRows }: JoinKind): boolean {
  return matchedRows !== "never" || unmatchedRows > 0;
}

/** Whether the columns of the build side come out. */
export function givesBuildColumns({ matchedRows, buildOnlyRows }: JoinKind): boolean {
  return matchedRows === "each" || buildOnlyRows !== "none";
}

/** Whether a row may come out without a build row, whose columns are then null. */
export function payloadMayMiss({ matchedRows, unmatchedRows }: JoinKind): boolean {
  return matchedRows === "each" && unmatchedRows > 0;
}
