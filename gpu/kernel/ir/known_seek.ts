/** @module */

import type { Seek, Stmt } from "./ir.ts";

/** A search whose needle is known and which goes forward. */
export type KnownSeek = Seek & { readonly bytes: Uint8Array; readonly backward: false };

/**
 * The search that a loop is, where its needle is known and it goes forward: emitters know faster
 * ways for it than to go round once for each byte. Null for other loops.
 *
 * @example
 * ```ts
 * import { knownSeek } from "./known_seek.ts";
 *
 * const test = { op: "const", type: "bool", value: false } as const;
 * const loop = { do: "loop", label: "l", test, body: [], update: [] } as const;
 * if (knownSeek(loop) !== null) throw new Error("no search");
 * ```
 */
export function knownSeek({ seek }: Stmt & { do: "loop" }): KnownSeek | null {
  if (seek === undefined || seek.bytes === null || seek.backward) return null;
  return { ...seek, bytes: seek.bytes, backward: false };
}
