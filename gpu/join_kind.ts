/**
 * The kinds of joins, and what each of them gives. This is the one place that says so: the schema of
 * the result, the kernels of both backends, the errors and the help of the command line ask here.
 *
 * Every kind gives the pairs of a probe row and a build row with equal keys, in the order of the
 * probe side. What comes of a probe batch is known from that batch alone.
 *
 * @module
 */

/** How the two sides of a join meet. */
export type JoinHow = "inner" | "left";

/** What a kind of join gives. */
export interface JoinKind {
  /** Rows that come out for a probe row without a match. One with matches comes out for each. */
  readonly unmatchedRows: 0 | 1;
  /** Whether a row may come out without a build row, whose columns are then null. */
  readonly payloadMayMiss: boolean;
  /** What it does, in a clause behind its name; empty where the name says it. */
  readonly help: string;
}

/** Each kind by the name that users give it. */
export const joinKinds: Readonly<Record<JoinHow, JoinKind>> = {
  inner: { unmatchedRows: 0, payloadMayMiss: false, help: "" },
  left: {
    unmatchedRows: 1,
    payloadMayMiss: true,
    help: "which keeps rows without a match",
  },
};

/** The kind of a join that says nothing else. */
export const defaultJoinHow: JoinHow = "inner";

/** The names of all kinds. */
export const joinHows = Object.keys(joinKinds) as readonly JoinHow[];

/** Whether there is a kind of that name. */
export function isJoinHow(name: unknown): name is JoinHow {
  return joinHows.some((how) => how === name);
}
