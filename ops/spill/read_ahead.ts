/**
 * Reads a source ahead while its items fit into memory.
 *
 * @module
 */

/** The first items of a source, and the rest. */
interface Ahead<T> {
  readonly items: T[];
  /** The source, unless it has ended. `drain` ends it. */
  readonly rest: AsyncIterator<T> | undefined;
}

/** Reads items while they fit: `fits` adds an item, and returns whether all items so far fit. */
export async function readAhead<T>(
  source: AsyncIterable<T>,
  fits: (item: T) => boolean,
): Promise<Ahead<T>> {
  const rest = source[Symbol.asyncIterator]();
  const items: T[] = [];
  try {
    for (;;) {
      const next = await rest.next();
      if (next.done) return { items, rest: undefined };
      items.push(next.value);
      if (!fits(next.value)) return { items, rest };
    }
  } catch (error) {
    await rest.return?.();
    throw error;
  }
}

/** Yields all items, and drops each buffered item as it does. A caller that stops early ends the source. */
export async function* drain<T>({ items, rest }: Ahead<T>): AsyncGenerator<T, void, void> {
  try {
    while (items.length > 0) yield items.shift()!;
    if (rest === undefined) return;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest?.return?.();
  }
}
