/** The messages of an Arrow stream, found without the reader under test. */

import { Message } from "apache-arrow";

/** A message and where it lies. */
interface PlacedMessage {
  readonly message: Message;
  /** Byte at which its length begins, with the mark before it. */
  readonly start: number;
  /** Byte at which its body begins. */
  readonly body: number;
  /** The byte after its body. */
  readonly stop: number;
}

/** The messages of a stream, or of a file, whose messages begin at byte 8. */
export function messagesIn(bytes: Uint8Array): PlacedMessage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const messages: PlacedMessage[] = [];
  for (let start = bytes[0] === 0x41 ? 8 : 0;;) {
    const length = view.getInt32(start + 4, true);
    if (length === 0) return messages;
    const body = start + 8 + length;
    const message = Message.decode(bytes.subarray(start + 8, body));
    const stop = body + message.bodyLength;
    messages.push({ message, start, body, stop });
    start = stop;
  }
}
