/**
 * The program of a worker that moves chunks of a run.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import { Arena } from "./arena.ts";
import { type ChunkMover, movingBox } from "./chunk_moves.ts";
import type { ChunkInput, ChunkOutput } from "../store/chunk_sides.ts";
import { type LaneAnswer, type LaneResult, type LaneSetup, PhaseCounts } from "./lane_messages.ts";
import { openInput, openOutput } from "./lane_sides.ts";
import { type Phase, phaseChunks } from "./phase.ts";

/** What a worker has around it. */
interface WorkerScope {
  onmessage: (event: { readonly data: LaneSetup | Phase }) => void;
  postMessage(answer: LaneAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;
let lane: WorkerLane | undefined;

scope.onmessage = async ({ data }) => {
  try {
    if ("memory" in data) {
      lane = await WorkerLane.open(data);
      scope.postMessage({ kind: "ready" });
    } else scope.postMessage({ kind: "done", ...await lane!.move(data) });
  } catch {
    // The main thread does it again, and has the error.
    lane?.stop();
    scope.postMessage({ kind: "failed" });
  }
};

/** A thread of a run, with what its passes are between. */
class WorkerLane {
  readonly #counts: PhaseCounts;
  readonly #movers: readonly ChunkMover[];

  private constructor(counts: PhaseCounts, movers: readonly ChunkMover[]) {
    this.#counts = counts;
    this.#movers = movers;
  }

  /** Opens all that other threads may open. Throws where this one cannot. */
  static async open(setup: LaneSetup): Promise<WorkerLane> {
    const { memory, control, lane, passes, sides, fill, isDurable } = setup;
    const arena = new Arena(memory);
    const movers: ChunkMover[] = [];
    for (const [number, pass] of passes.entries()) {
      const [from, to] = [sides[number], sides[number + 1]];
      movers.push({
        ...{ pass, arena, fill, lane },
        input: from === undefined ? nowhere : await openInput(from),
        output: to === undefined ? nowhere : await openOutput(to, { isDurable }),
        staged: { index: undefined, isThere: false },
      });
    }
    return new WorkerLane(new PhaseCounts(control), movers);
  }

  /** Moves chunks of a phase until none is left. */
  async move(phase: Phase): Promise<LaneResult> {
    const mover = this.#movers[phase.pass]!;
    const before = filesOf(mover);
    const missing: string[] = [];
    const chunks = phaseChunks(movingBox(mover, phase.box), phase);
    await this.#counts.take(chunks, (chunk) => {
      if (chunk.missing !== undefined) missing.push(chunk.missing);
    });
    await chunks.finish();
    const after = filesOf(mover);
    return {
      missing,
      bytesRead: after.read - before.read,
      bytesWritten: after.written - before.written,
    };
  }

  /** Leaves no chunk of a phase to be taken. */
  stop(): void {
    this.#counts.stop();
  }
}

/** A side that only the main thread has: it never lets this one read or write there. */
const nowhere: ChunkInput & ChunkOutput = {
  readChunk: refuse,
  writeChunk: refuse,
  hasChunk: refuse,
};

function refuse(): never {
  throw new InternalError("This thread cannot open it");
}

/** Bytes of files that an array was read from so far, and those that one was written to. */
function filesOf({ input, output }: ChunkMover): { read: number; written: number } {
  return { read: input.bytesRead ?? 0, written: output.bytesWritten ?? 0 };
}
