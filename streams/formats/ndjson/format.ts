/**
 * NDJSON as a file format.
 *
 * @module
 */

import { nameOfInput } from "../../bytes/standard_streams.ts";
import type { FileFormat } from "../format.ts";

export const ndjsonFormat: FileFormat = {
  name: "ndjson",
  suffixes: [".ndjson", ".jsonl"],
  traits: [],
  types: ["string", "int64", "float64", "bool", "json"],
  widest: "json",
  kind: "NDJSON",
  firstRange: { from: "start", numBytes: 64 << 10 },
  replacesInvalid: true,
  read(path, options) {
    // Add the file now: `keys` must know of all files before the first one ends.
    const keys = options.keys?.add(nameOfInput(path));
    return async () => {
      const { ndjsonDecoder } = await import("./ndjson_decoder.ts");
      return ndjsonDecoder(path, keys, options);
    };
  },
  write: () => async () => new (await import("./writer.ts")).NdjsonEncoder(),
};
