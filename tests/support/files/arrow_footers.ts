/** Footers of Arrow files, read by apache-arrow, and files with other ones. */

import { ByteBuffer } from "flatbuffers";
import { Footer } from "apache-arrow/fb/footer";
import { type FileBlock, Footer as FooterContent } from "apache-arrow/ipc/metadata/file";
import { encodeFooter } from "../../../streams/formats/arrow/encode_footer.ts";

/** Behind a footer are its length and the magic. */
const tailBytes = 10;

/** The bytes of the footer of a file. */
function footerIn(file: Uint8Array): { readonly start: number; readonly bytes: Uint8Array } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const stop = file.length - tailBytes;
  const start = stop - view.getInt32(stop, true);
  return { start, bytes: file.subarray(start, stop) };
}

/** The custom metadata of a footer. */
export function footerMetadata(file: Uint8Array): Record<string, string> {
  const footer = Footer.getRootAsFooter(new ByteBuffer(footerIn(file).bytes));
  const pairs = Array.from({ length: footer.customMetadataLength() }, (_, index) => {
    const pair = footer.customMetadata(index)!;
    return [pair.key(), pair.value()];
  });
  return Object.fromEntries(pairs);
}

/** The places of the record batches of a file. */
export function footerBlocks(file: Uint8Array): FileBlock[] {
  return [...FooterContent.decode(footerIn(file).bytes).recordBatches()];
}

/** The same file with other custom metadata in its footer: without any as other programs write it. */
export function withFooter(
  file: Uint8Array,
  metadata: Record<string, string> = {},
): Uint8Array<ArrayBuffer> {
  const { start, bytes } = footerIn(file);
  const footer = FooterContent.decode(bytes);
  const encoded = encodeFooter(footer.schema, {
    batches: [...footer.recordBatches()],
    dictionaries: [...footer.dictionaryBatches()],
    metadata: new Map(Object.entries(metadata)),
  });
  const result = new Uint8Array(start + encoded.length + tailBytes);
  result.set(file.subarray(0, start));
  result.set(encoded, start);
  result.set(file.subarray(-tailBytes), start + encoded.length);
  new DataView(result.buffer).setInt32(start + encoded.length, encoded.length, true);
  return result;
}
