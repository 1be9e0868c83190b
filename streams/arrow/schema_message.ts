/**
 * A schema alone, as bytes.
 *
 * @module
 */

import { Message, type Schema } from "apache-arrow";

/** The schema at the start of a stream that lies in memory. */
export function decodeSchema(stream: Uint8Array): Schema {
  const view = new DataView(stream.buffer, stream.byteOffset);
  const length = view.getInt32(4, true);
  const message = Message.decode(stream.subarray(8, 8 + length));
  if (!message.isSchema()) throw new Error("expected a schema");
  return message.header();
}
