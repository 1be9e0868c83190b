/**
 * A contest: one job, done by several contenders.
 *
 * @module
 */

/** The role of a contender: Sluice, another library, or a hand-written loop that shows the limit. */
type Role = "ours" | "peer" | "limit";

/** The usage of a run that is a process, from start to exit. */
export interface ProcessUsage {
  readonly elapsedMs: number;
  /** The processor time of all its threads. */
  readonly processorMs: number;
  /** The peak memory. */
  readonly peakBytes: number;
}

/** A contender in a contest. */
export interface Contender {
  readonly name: string;
  readonly role: Role;
  /** The device that computes. */
  readonly device: string;
  /** The job as written for it, if there are several ways to write it. */
  readonly spelling?: string;
  /** Frees the result of the previous run, outside of the measured time. */
  prepare?(): Promise<void>;
  /** Does the job once: to the last batch of a stream, or to a whole table or file. */
  run(): Promise<ProcessUsage | void>;
  /** Returns a text about the result that must be equal for all contenders; call it after a run. */
  digest(): Promise<string>;
}

/** A target for the speed of ours on the host. */
export interface Target {
  /** A contender's name, or the faster of all peers. */
  readonly against: string | "the faster peer";
  /** The least multiple of the speed of that one. */
  readonly factor: number;
}

/** A job and its contenders. */
export interface Contest {
  readonly name: string;
  /** Labels by which charts and other programs distinguish contests: "operation", "text". */
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly numRows: number;
  /** Bytes that the job must read and write. */
  readonly numBytes: number;
  readonly contenders: readonly Contender[];
  /** The runs of each contender in a round. Default: 3. */
  readonly runsOfRound?: number;
  /** The runs of each contender in a round before runs count. Default: 2. */
  readonly warmUpRuns?: number;
  readonly targets: readonly Target[];
  /** Frees the memory of the contenders. */
  close(): Promise<void>;
}

/**
 * Runs every contender once and compares their results. Throws an Error that names the first one that disagrees
 * with the previous one.
 */
export async function checkContest(
  { name, contenders }: Pick<Contest, "name" | "contenders">,
): Promise<void> {
  let agreed: { readonly by: string; readonly digest: string } | undefined;
  for (const contender of contenders) {
    await contender.prepare?.();
    await contender.run();
    const digest = await contender.digest();
    if (agreed !== undefined && agreed.digest !== digest) {
      throw new Error(
        `${name}: ${nameOf(contender)} gives ${digest}, but ${agreed.by} gives ${agreed.digest}`,
      );
    }
    agreed = { by: nameOf(contender), digest };
  }
}

function nameOf({ name, spelling }: Contender): string {
  return spelling === undefined ? name : `${name} by ${spelling}`;
}
