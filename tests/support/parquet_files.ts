/** Parquet files as other writers make them: the metadata of a file are changed. */

import { footerOf, splitFooter } from "../../streams/parquet/footer.ts";
import { type FileMetadata, fileMetadata } from "../../streams/parquet/metadata.ts";
import {
  readThrift,
  type StructType,
  type ValueOf,
  writeThrift,
} from "../../streams/parquet/thrift.ts";

/** The file with other metadata; what reading does not need of them is left out. */
export async function changeFooter(
  path: string,
  change: (metadata: FileMetadata) => void,
  type: StructType = fileMetadata,
): Promise<void> {
  const { pages, metadata } = splitFooter(await Deno.readFile(path));
  const value = readThrift(metadata, fileMetadata).value;
  change(value);
  await writeParts(path, [pages, footerOf(writeThrift(value as ValueOf<StructType>, type))]);
}

/** Writes bytes one behind the other. */
export async function writeParts(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await Deno.writeFile(
    path,
    new Uint8Array(await new Blob([...parts] as BlobPart[]).arrayBuffer()),
  );
}
