/**
 * The threads that decode and encode Parquet, in one module: a command starts them while the library loads.
 *
 * @module
 */

export {
  allowDecodeWorkers,
  endIdleDecodeWorkers,
  startDecodeWorker,
} from "../../streams/formats/parquet/worker/decode_worker.ts";
export {
  endIdleEncodeWorker,
  startEncodeWorker,
} from "../../streams/formats/parquet/worker/encode_worker.ts";
export { isLargeFile, isSmallFile } from "../../streams/formats/parquet/worker/large_file.ts";
