import { endOf } from "./until.ts";

/** Calls `use` while timers are fake ones, whose time never comes. Throws if it then waits for ever. */
export async function withFakeTimers<T>(use: () => Promise<T>): Promise<T> {
  const { setTimeout, setInterval, setImmediate } = globalThis;
  const begin = Promise.withResolvers<void>();
  const used = begin.promise.then(use);
  const end = endOf(used, () => {
    throw new Error("Waited for a timer of the program");
  });
  Object.assign(globalThis, { setTimeout: never, setInterval: never, setImmediate: never });
  begin.resolve();
  try {
    return await end;
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval, setImmediate });
  }
}

function never(): number {
  return 0;
}
