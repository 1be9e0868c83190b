/**
 * Reads Arrow data in the stream and the file format, from files and pipes.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { Duplicates } from "../../types/distinct_names.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { kindBytes, otherKind } from "../../bytes/file_kind.ts";
import { decidingRows, locateRows } from "../../rows/locate_rows.ts";
import type { RowRequest } from "../../rows/row_request.ts";
import type { OpenOptions, SourceRows } from "../../plan/source.ts";
import type { FileDecoder, SeekingDecoder } from "../../source/file_decoder.ts";
import { ArrowIndex } from "./arrow_index.ts";
import { isForward, readForward, readRows } from "./arrow_rows.ts";
import { hasFooter, openFile } from "./file_layout.ts";
import { CorruptArrowError } from "../../../base/errors/data_error.ts";
import { fileMagic } from "../../data/message.ts";
import { readMessages } from "./read_messages.ts";
import { isRemote } from "./remote.ts";
import { frontBytes, type OpenedArrow, openStream } from "./stream_layout.ts";
import { walkStream } from "./walk_stream.ts";

/**
 * Reads one source, which may be opened many times. The index of a file is read once and kept while
 * the size of the file stays the same.
 */
export class ArrowReader implements FileDecoder {
  readonly seeking: SeekingDecoder = {
    canSeek: (input) => this.#canSeek(input),
    describe: (input, request) => this.#describe(input, request),
  };
  readonly #duplicates: Duplicates | undefined;
  #index: ArrowIndex | undefined;

  /** `duplicates` is the treatment of columns of one name. */
  constructor(duplicates?: Duplicates) {
    this.#duplicates = duplicates;
  }

  async schema(input: FileInput): Promise<Schema> {
    return (await this.#open(input)).schema;
  }

  /** Counts the rows without reading bodies; undefined for a stream on a server. */
  async numRows(input: FileInput, options?: OpenOptions): Promise<number | undefined> {
    const arrow = await this.#open(input);
    if (!(arrow instanceof ArrowIndex) && isRemote(input)) return undefined;
    const index = arrow instanceof ArrowIndex ? arrow : await this.#walk(input, arrow, options);
    return await index.numRows(input, options);
  }

  /**
   * Reads the rows of a request. From a pipe, only forward slices counted from the front are
   * possible. Of a stream in a file, all headers are read first unless the request is such a slice.
   */
  async rows(
    input: FileInput,
    request: RowRequest,
    options: OpenOptions,
  ): Promise<AsyncGenerator<SourceRows, void, void>> {
    const arrow = await this.#open(input);
    if (arrow instanceof ArrowIndex) return await readRows(input, arrow, request, options);
    const [pick, ...later] = request;
    if (later.length === 0 && pick.kind === "slice" && isForward(pick)) {
      return readForward(input, arrow, pick, options);
    }
    const index = await this.#walk(input, arrow, options, decidingRows(request));
    return await readRows(input, index, request, options);
  }

  /**
   * Whether reading from the middle pays: not in a stream on a server, where each header is a round
   * trip.
   */
  async #canSeek(input: FileInput): Promise<boolean> {
    return !isRemote(input) || await this.#open(input) instanceof ArrowIndex;
  }

  /** Describes the batches that the rows of a request lie in, such as "2 of 153 batches". */
  async #describe(input: FileInput, request: RowRequest): Promise<string | undefined> {
    const arrow = await this.#open(input);
    const index = arrow instanceof ArrowIndex ? arrow : await this.#walk(input, arrow);
    const chunks = new Set<number>();
    for await (const { chunk } of locateRows(request, index.lengths(input))) chunks.add(chunk);
    const { length } = index.batches;
    return `${chunks.size} of ${length} ${length === 1 ? "batch" : "batches"}`;
  }

  /**
   * Returns the index of a file or of a stream that was walked before; otherwise the messages of a
   * stream.
   */
  async #open(input: FileInput): Promise<ArrowIndex | OpenedArrow> {
    const known = this.#index;
    if (known !== undefined && known.numBytes === input.numBytes) return known;
    const arrow = await openArrow(input, this.#duplicates);
    if (arrow instanceof ArrowIndex) this.#index = arrow;
    return arrow;
  }

  async #walk(
    input: FileInput,
    arrow: OpenedArrow,
    options: OpenOptions = {},
    numRows?: number,
  ): Promise<ArrowIndex> {
    const { index, isWhole } = await walkStream(input, arrow, options, numRows);
    if (isWhole) this.#index = index;
    return index;
  }
}

/** Reads all batches of an input. */
export async function* readArrowBatches(
  input: FileInput,
  options: OpenOptions,
): AsyncGenerator<RecordBatch, void, void> {
  const arrow = await openArrow(input, undefined);
  const opened = arrow instanceof ArrowIndex ? arrow.open(input, options) : arrow;
  yield* readMessages(input, opened, options);
}

async function openArrow(
  input: FileInput,
  duplicates: Duplicates | undefined,
): Promise<OpenedArrow | ArrowIndex> {
  const { numBytes } = input;
  // A server sent the end of the file first.
  const hasFront = numBytes === undefined || input.holds(0, frontBytes);
  if (!hasFront && await hasFooter(input, numBytes)) {
    return await openFile(input, numBytes, duplicates);
  }
  const front = await input.peek(frontBytes);
  if (front.length === 0) throw new CorruptArrowError("is empty, not Arrow data");
  const isFile = front.length >= fileMagic.length &&
    fileMagic.every((byte, index) => front[index] === byte);
  if (!isFile && !looksLikeStream(front)) {
    const other = otherKind(await input.peek(kindBytes), "Arrow data");
    throw new CorruptArrowError(other ?? "is not Arrow data");
  }
  // The file format on a pipe is the stream format between magic and footer.
  if (isFile) await input.seek(frontBytes);
  if (isFile && numBytes !== undefined) return await openFile(input, numBytes, duplicates);
  return await openStream(input, isFile, duplicates);
}

function looksLikeStream(front: Uint8Array): boolean {
  if (front.length < frontBytes) return false;
  const view = new DataView(front.buffer, front.byteOffset);
  const first = view.getInt32(0, true);
  if (first === -1) return view.getInt32(4, true) > 0;
  // Before version 0.15 the length came first; with its own four bytes it is a multiple of 8.
  return first > 0 && first < 2 ** 28 && (first + 4) % 8 === 0;
}
