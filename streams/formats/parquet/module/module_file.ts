/**
 * A file that parquet-wasm has open.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { ParquetFile, RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { decodeSchema } from "../../../data/arrow_data.ts";
import type { ParquetWasm } from "./module.ts";
import { rangeBlob, type RangedFile, type ReadRange } from "../metadata/range_blob.ts";
import { ModuleTurns, orTrapNow } from "./trap.ts";
import { TrapError } from "../../../../base/errors/data_error.ts";

/** Rows that are requested from parquet-wasm. */
interface RowsRequest {
  readonly rowGroups: number[];
  /** The top-level columns. Default: all. */
  readonly columns?: string[];
  readonly batchSize: number;
  /** Rows to skip. */
  readonly offset?: number;
  readonly limit: number;
}

/**
 * An open file. Errors of reads are passed on; data that the module cannot decode is a TrapError.
 */
export class ModuleFile {
  readonly #file: ParquetFile;
  readonly #turns: ModuleTurns;
  readonly #failed: Promise<never>;
  /** Whether a call failed, so that the module may still hold on to its arguments. */
  #isBroken = false;

  private constructor(file: ParquetFile, turns: ModuleTurns, failed: Promise<never>) {
    this.#file = file;
    this.#turns = turns;
    this.#failed = failed;
  }

  static async open(wasm: ParquetWasm, { numBytes, read }: RangedFile): Promise<ModuleFile> {
    const turns = new ModuleTurns();
    const inTurn: ReadRange = (start, stop) => turns.wait(read(start, stop));
    const { blob, failed } = rangeBlob({ numBytes, read: inTurn });
    const opened = () => reported(wasm.ParquetFile.fromFile(blob));
    const file = await turns.do(() => Promise.race([opened(), failed]));
    return new ModuleFile(file, turns, failed);
  }

  schema(): Schema {
    return decodeSchema(orTrapNow(() => this.#file.schema().intoIPCStream()));
  }

  /** Yields the batches of a request. Ending the iteration early cancels the request. */
  async *batches(request: RowsRequest): AsyncGenerator<WasmBatch, void, void> {
    const reader = (await this.#until(() => this.#file.stream(request))).getReader();
    let hasEnded = false;
    try {
      for (;;) {
        const next = await this.#until(() => reader.read());
        if (next.done) break;
        yield next.value;
      }
      hasEnded = true;
    } finally {
      if (!hasEnded && !this.#isBroken) await this.#turns.do(() => reader.cancel());
    }
  }

  /** Frees the file; after a failure as far as the module allows. */
  close(): void {
    try {
      orTrapNow(() => this.#file.free());
    } catch (error) {
      if (!this.#isBroken) throw error;
    }
  }

  /** Waits for work of the module, or for a read to fail. */
  async #until<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.do(() => Promise.race([reported(work()), this.#failed]));
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }
}

/** Turns the module's own errors into TrapErrors. */
async function reported<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    throw new TrapError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
