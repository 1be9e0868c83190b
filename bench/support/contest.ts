/**
 * A contest: one job, done by several contenders from data in memory.
 *
 * @module
 */

/** Who does the job: this library, another one, or a loop by hand that shows what is possible. */
type Role = "ours" | "peer" | "limit";

/** What a run took that is a process of its own, from its start to its exit. */
export interface ProcessUsage {
  readonly elapsedMs: number;
  /** Of all its threads together. */
  readonly processorMs: number;
  /** Of memory, at the most. */
  readonly peakBytes: number;
}

/** One way to do the job. */
export interface Contender {
  readonly name: string;
  readonly role: Role;
  /** Where it computes. */
  readonly device: string;
  /** The job in its words, where there are several ways to write it. */
  readonly spelling?: string;
  /** Takes the result of the run before away, outside of what is measured. */
  prepare?(): Promise<void>;
  /** Does the job once: to the last batch of a stream, or to a whole table or file. */
  run(): Promise<ProcessUsage | void>;
  /** What a run gives, in words that must be the same for every contender; call it after a run. */
  digest(): Promise<string>;
}

/** How fast ours on the host is meant to be. */
export interface Target {
  /** A contender's name, or the faster of all peers. */
  readonly against: string | "the faster peer";
  /** Times as fast as that one, at least. */
  readonly factor: number;
}

/** One job. */
export interface Contest {
  readonly name: string;
  /** What charts and other programs tell contests apart by: "operation", "text". */
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly numRows: number;
  /** Bytes that the job must read and write. */
  readonly numBytes: number;
  readonly contenders: readonly Contender[];
  /** How often each contender runs in a round; default: three times. */
  readonly runsOfRound?: number;
  /** How often each contender runs in a round before runs count; default: twice. */
  readonly warmUpRuns?: number;
  readonly targets: readonly Target[];
  /** Frees what the contenders hold. */
  close(): Promise<void>;
}

/**
 * Runs every contender once and compares what came out. An Error names the first one that
 * disagrees with the contender before it.
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
