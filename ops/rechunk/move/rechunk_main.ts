/**
 * The program of a worker that moves the chunks of a run.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import { threadScope } from "../../../base/threads/scope.ts";
import { SharedQueue } from "../../../base/threads/shared_queue.ts";
import { Arena } from "./arena.ts";
import { type ChunkMover, movingBox } from "./chunk_moves.ts";
import type { ChunkInput, ChunkOutput } from "../store/chunk_sides.ts";
import {
  moveShared,
  type PhaseResult,
  type ThreadAnswer,
  type ThreadJob,
  type ThreadSetup,
} from "./thread_messages.ts";
import { openInput, openOutput } from "./side_info.ts";
import { type Phase, phaseChunks } from "./phase.ts";

const scope = threadScope<ThreadJob, ThreadAnswer>();
let thread: PhaseMover | undefined;

scope.addEventListener("message", async ({ data: { job, work } }) => {
  try {
    if ("memory" in work) {
      thread = await PhaseMover.open(work);
      scope.postMessage({ kind: "ready", job });
    } else scope.postMessage({ kind: "done", job, ...await thread!.move(work) });
  } catch {
    // The main thread repeats the phase, and so finds the error itself.
    thread?.stop();
    scope.postMessage({ kind: "failed" });
  }
});

/** A thread of a run, with the inputs and outputs of its passes. */
class PhaseMover {
  readonly #queue: SharedQueue;
  readonly #movers: readonly ChunkMover[];

  private constructor(queue: SharedQueue, movers: readonly ChunkMover[]) {
    this.#queue = queue;
    this.#movers = movers;
  }

  /** Opens the sides that are open to other threads. Throws where this thread cannot open one. */
  static async open(setup: ThreadSetup): Promise<PhaseMover> {
    const { memory, queue, thread, passes, sides, fill, isDurable } = setup;
    const arena = new Arena(memory);
    const movers: ChunkMover[] = [];
    for (const [number, pass] of passes.entries()) {
      const [from, to] = [sides[number], sides[number + 1]];
      movers.push({
        ...{ pass, arena, fill, thread },
        input: from === undefined ? nowhere : await openInput(from),
        output: to === undefined ? nowhere : await openOutput(to, { isDurable }),
        staged: { index: undefined, isThere: false },
      });
    }
    return new PhaseMover(new SharedQueue(queue), movers);
  }

  /** Moves chunks of a phase until none is left. */
  async move(phase: Phase): Promise<PhaseResult> {
    const mover = this.#movers[phase.pass]!;
    const before = filesOf(mover);
    const missing: string[] = [];
    const chunks = phaseChunks(movingBox(mover, phase.box), phase);
    await moveShared(this.#queue, chunks, (chunk) => {
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

  /** Makes all chunks of a phase unavailable. */
  stop(): void {
    this.#queue.stop();
  }
}

/** A side that only the main thread has, which never makes this thread read or write there. */
const nowhere: ChunkInput & ChunkOutput = {
  readChunk: refuse,
  writeChunk: refuse,
  hasChunk: refuse,
};

function refuse(): never {
  throw new InternalError("This thread cannot open it");
}

/** Returns the bytes of files that the input has read and the output has written so far. */
function filesOf({ input, output }: ChunkMover): { read: number; written: number } {
  return { read: input.bytesRead ?? 0, written: output.bytesWritten ?? 0 };
}
