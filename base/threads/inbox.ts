/**
 * The messages of a thread, for a reader that takes them one by one.
 *
 * @module
 */

/** The unread messages of a thread, in order. */
export class Inbox<Message> {
  readonly #messages: Message[] = [];
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** Adds a message. */
  put(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Makes `next` fail with an error once the present messages are read. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  /** Returns the next message, if there is one. */
  poll(): Message | undefined {
    return this.#messages.shift();
  }

  /** Waits for the next message. Throws the error of `fail`. Only one reader may wait at a time. */
  async next(): Promise<Message> {
    while (this.#messages.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#messages.shift()!;
  }
}
