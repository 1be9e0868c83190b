/**
 * Parquet as a file format.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";
import type { FileFormat } from "../format.ts";
import type { ParquetCompression, ParquetLayout } from "./module/properties.ts";

export const parquetFormat: FileFormat = {
  name: "parquet",
  suffixes: [".parquet"],
  traits: ["compression", "offsets", "row groups"],
  kind: "Parquet",
  firstRange: { from: "end", numBytes: 64 << 10, needsRanges: "Parquet" },
  read: (path, options) => async () => {
    const { parquetDecoder } = await import("./parquet_decoder.ts");
    return parquetDecoder(path, options);
  },
  write(_, { compression = "zstd", rowGroupRows = 1 << 18, rowGroupBytes = 64 << 20 }) {
    const layout = layoutOf({ compression, rowGroupRows, rowGroupBytes });
    return async () => await (await import("./write/writer.ts")).openParquetEncoder(layout);
  },
};

/** The most bytes of a row group, which must fit the 4 GiB of memory of parquet-wasm. */
const mostGroupBytes = 2 ** 29;
/** parquet-wasm counts rows in 31 bits. */
const mostGroupRows = 2 ** 31 - 1;

const compressions: readonly ParquetCompression[] = ["none", "snappy", "gzip", "zstd", "lz4"];

/**
 * Returns the layout that the options describe. Throws a TypeError or RangeError if one of them is
 * invalid.
 */
function layoutOf(
  given: Omit<ParquetLayout, "compression"> & { readonly compression: string },
): ParquetLayout {
  const compression = compressions.find((known) => known === given.compression);
  if (compression === undefined) {
    const [known, other] = [compressions.join(", "), showValue(given.compression)];
    throw new TypeError(`The option compression must be one of ${known}, not ${other}`);
  }
  checkCount(given.rowGroupRows, mostGroupRows, "rowGroupRows");
  checkCount(given.rowGroupBytes, mostGroupBytes, "rowGroupBytes");
  return { ...given, compression };
}

function checkCount(value: number, most: number, option: string): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  const given = showValue(value);
  throw new RangeError(
    `The option ${option} must be a whole number from 1 to ${most}, not ${given}`,
  );
}
