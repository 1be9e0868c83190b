/** A resource of a test, for `using`: it is closed at the end of the block. */
export function closing<T extends { close(): void | Promise<void> }>(
  value: T,
): T & Disposable & AsyncDisposable {
  return Object.assign(value, {
    [Symbol.dispose]: () => void value.close(),
    [Symbol.asyncDispose]: async () => await value.close(),
  });
}
