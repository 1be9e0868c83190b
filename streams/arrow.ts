/**
 * The only module through which the library reads and writes the Arrow IPC formats; `arrow/` is its
 * implementation.
 *
 * @module
 */

export type { ArrowCompression, BufferCodec } from "./arrow/compression.ts";
export { bufferCodec } from "./arrow/compression.ts";
export type { EncoderOptions } from "./arrow/encoder.ts";
export type { ArrowFormat } from "./arrow/message.ts";
export { ArrowEncoder, encodeArrow } from "./arrow/encoder.ts";
export { ArrowReader, readArrowBatches } from "./arrow/reader.ts";
