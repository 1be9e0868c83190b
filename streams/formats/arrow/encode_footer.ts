/**
 * Encodes the footer of a file, with custom metadata, which apache-arrow's own encoder drops.
 *
 * @module
 */

import { MetadataVersion, Schema } from "apache-arrow";
import { Footer } from "apache-arrow/fb/footer";
import { KeyValue } from "apache-arrow/fb/key-value";
import { FileBlock } from "apache-arrow/ipc/metadata/file";
import { Builder } from "flatbuffers";

/** The content of a footer besides the schema. */
export interface FooterContent {
  readonly batches: readonly FileBlock[];
  readonly dictionaries: readonly FileBlock[];
  readonly metadata: ReadonlyMap<string, string>;
}

export function encodeFooter(
  schema: Schema,
  { batches, dictionaries, metadata }: FooterContent,
): Uint8Array {
  const builder = new Builder();
  const schemaPlace = Schema.encode(builder, schema);
  // A builder writes from the end to the front.
  Footer.startRecordBatchesVector(builder, batches.length);
  for (const block of batches.toReversed()) FileBlock.encode(builder, block);
  const batchesPlace = builder.endVector();
  Footer.startDictionariesVector(builder, dictionaries.length);
  for (const block of dictionaries.toReversed()) FileBlock.encode(builder, block);
  const dictionariesPlace = builder.endVector();
  const pairs = Array.from(
    metadata,
    ([key, value]) =>
      KeyValue.createKeyValue(builder, builder.createString(key), builder.createString(value)),
  );
  const pairsPlace = Footer.createCustomMetadataVector(builder, pairs);
  Footer.startFooter(builder);
  Footer.addSchema(builder, schemaPlace);
  Footer.addVersion(builder, MetadataVersion.V5);
  Footer.addRecordBatches(builder, batchesPlace);
  Footer.addDictionaries(builder, dictionariesPlace);
  if (pairs.length > 0) Footer.addCustomMetadata(builder, pairsPlace);
  Footer.finishFooterBuffer(builder, Footer.endFooter(builder));
  return builder.asUint8Array();
}
