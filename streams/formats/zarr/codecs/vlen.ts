/**
 * The codecs "vlen-utf8" and "vlen-bytes", which turn items of a variable size into bytes.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { freeBytes } from "../items/free_bytes.ts";
import { checkItems, decodeItems, encodeItems } from "../items/vlen_items.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { ArrayToBytes } from "./codec.ts";
import { checkDecoded } from "./too_large.ts";

export const vlenUtf8: ArrayToBytes = vlenCodec("vlen-utf8");
export const vlenBytes: ArrayToBytes = vlenCodec("vlen-bytes");

function vlenCodec(name: "vlen-utf8" | "vlen-bytes"): ArrayToBytes {
  const items = name === "vlen-utf8" ? "string" : "bytes";
  return {
    kind: "array->bytes",
    variable({ shape }, { type }) {
      if (type.kind !== name) throw notForVariable(type.kind);
      const numItems = product(shape);
      return {
        shape,
        encodedBytes: (numBytes) => numBytes,
        // deno-lint-ignore require-await
        async decode(bytes, mostBytes) {
          // The encoded items have as many bytes as decoded ones with their offsets.
          checkDecoded(bytes.length, mostBytes);
          return decodeItems(bytes, numItems, items);
        },
        async encode(decoded, use) {
          checkItems(decoded, items);
          const encoded = encodeItems(decoded);
          await use(encoded);
          freeBytes(encoded);
        },
      };
    },
  };
}

/** Returns the error of a codec that does not take variable items, unlike `wanted`. */
export function notForVariable(wanted: string): UnsupportedZarrError {
  return new UnsupportedZarrError(`is not supported for items of variable size; use ${wanted}`);
}
