/**
 * A schema alone, as bytes.
 *
 * @module
 */

import { Message, type Schema } from "apache-arrow";
import { rootTable } from "./flat_table.ts";
import { nameMaps } from "./map_type.ts";
import { verifyMessage } from "./verify.ts";

/** The schema at the start of a stream that lies in memory. Throws where it is broken. */
export function decodeSchema(stream: Uint8Array): Schema {
  const view = new DataView(stream.buffer, stream.byteOffset);
  const length = view.getInt32(4, true);
  const description = stream.subarray(8, 8 + length);
  verifyMessage(description);
  const message = Message.decode(description);
  if (!message.isSchema()) throw new Error("expected a schema");
  const schema = message.header() as Schema;
  nameMaps(schema, rootTable(description).table(2)!);
  return schema;
}
