/**
 * The messages of a thread, for a reader that takes one after the other.
 *
 * @module
 */

/** What a thread has sent and nobody has read yet, in order. */
export class Inbox<Message> {
  readonly #messages: Message[] = [];
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** Adds a message. */
  put(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Lets readers fail with an error once they have read the messages that are there. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  /** Returns the next message, if it is there. */
  poll(): Message | undefined {
    return this.#messages.shift();
  }

  /** Waits for the next message. Throws the error of `fail`. One reader may wait at a time. */
  async next(): Promise<Message> {
    while (this.#messages.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#messages.shift()!;
  }
}
