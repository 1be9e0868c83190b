/** Parquet files as other writers make them: the metadata of a file are changed. */

import { footerOf, splitFooter } from "../../../streams/formats/parquet/metadata/footer.ts";
import {
  type FileMetadata,
  fileMetadata,
} from "../../../streams/formats/parquet/metadata/metadata.ts";
import {
  readThrift,
  type StructType,
  type ValueOf,
  writeThrift,
} from "../../../streams/formats/parquet/metadata/thrift.ts";

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

/** A timestamp of INT96: a Julian day and nanoseconds of it. */
export function int96(day: number, nanoseconds: bigint): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(0, nanoseconds, true);
  view.setInt32(8, day, true);
  return bytes;
}

/** Makes INT96, as Spark and Impala write it, of all columns of 12 bytes. */
export async function asInt96(path: string, key = "made.by"): Promise<void> {
  await changeFooter(path, (metadata) => {
    const leaves = metadata.schema!.filter(({ type }) => type !== undefined);
    for (const [leaf, element] of leaves.entries()) {
      if (element.typeLength !== 12) continue;
      element.type = 3;
      element.typeLength = undefined;
      for (const { columns } of metadata.rowGroups!) columns![leaf]!.metadata!.type = 3;
    }
    const bytes = new TextEncoder();
    metadata.keyValues = [{ key: bytes.encode(key), value: bytes.encode("3.5.0") }];
  });
}

/** Writes byte arrays one after another. */
export async function writeParts(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await Deno.writeFile(
    path,
    new Uint8Array(await new Blob([...parts] as BlobPart[]).arrayBuffer()),
  );
}
