/**
 * Arrow IPC as a file format: the file and the stream format.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";
import { isStdout } from "../../bytes/standard_streams.ts";
import type { FileFormat } from "../format.ts";
import type { ArrowCompression } from "./compression.ts";

/**
 * Both formats of Arrow IPC; the reader detects which one a file has. A footer takes 24 bytes for
 * each batch, so the first range covers a footer of about 20,000 batches.
 */
export const arrowFormat: FileFormat = {
  name: "arrow",
  suffixes: [".arrow", ".arrows", ".feather", ".ipc"],
  traits: ["compression", "offsets"],
  kind: "Arrow data",
  firstRange: { from: "end", numBytes: 512 << 10 },
  read: (_, { duplicates }) => async () => {
    const { ArrowReader } = await import("./arrow.ts");
    return new ArrowReader(duplicates);
  },
  write(path, { compression = "none" }) {
    checkCompression(path, compression);
    const format = isStdout(path) || path.endsWith(".arrows") ? "stream" : "file";
    return async () =>
      await (await import("./ipc_encoder.ts")).openIpcEncoder(path, format, compression);
  },
};

const compressions: readonly string[] = ["none", "zstd", "lz4"] satisfies ArrowCompression[];

function checkCompression(
  path: string,
  compression: string,
): asserts compression is ArrowCompression {
  if (compressions.includes(compression)) return;
  if (compression === "snappy" || compression === "gzip") {
    throw new TypeError(`${path}: Arrow is compressed by zstd or lz4, not by ${compression}`);
  }
  const known = compressions.join(", ");
  throw new TypeError(
    `The option compression must be one of ${known}, not ${showValue(compression)}`,
  );
}
