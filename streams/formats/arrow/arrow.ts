/**
 * The entry point of this folder: reading and writing the Arrow IPC formats.
 *
 * @module
 */

export type { ArrowCompression, BufferCodec } from "./compression.ts";
export { bufferCodec } from "./compression.ts";
export type { EncoderOptions } from "./encoder.ts";
export type { ArrowFormat } from "../../data/message.ts";
export { ArrowEncoder, encodeArrow } from "./encoder.ts";
export { ArrowReader, readArrowBatches } from "./reader.ts";
