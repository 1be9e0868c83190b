/** Workers that a test counts, or that misbehave. */

/** What became of the workers that were started meanwhile. */
export interface WorkerCounts {
  started: number;
  ended: number;
  /** Messages that they sent, by their kind. */
  readonly answers: Map<string, number>;
}

/**
 * Runs a body in which workers are counted. With `program` they run that text, in the place of what
 * they were started for.
 */
export async function withCountedWorkers<T>(
  body: (counts: WorkerCounts) => Promise<T>,
  program?: string,
): Promise<T> {
  const Real = globalThis.Worker;
  const counts: WorkerCounts = { started: 0, ended: 0, answers: new Map() };
  const other = program && `data:text/javascript,${encodeURIComponent(program)}`;
  globalThis.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(other ?? url, options);
      counts.started++;
      this.addEventListener("message", ({ data }) => {
        const { kind } = data as { kind: string };
        counts.answers.set(kind, (counts.answers.get(kind) ?? 0) + 1);
      });
    }

    override terminate(): void {
      counts.ended++;
      super.terminate();
    }
  };
  try {
    return await body(counts);
  } finally {
    globalThis.Worker = Real;
  }
}
