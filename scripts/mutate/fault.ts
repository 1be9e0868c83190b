/**
 * Faults to plant in a module: their description, and the draw.
 *
 * @module
 */

import type { SeededRandom } from "../../tests/support/random/seeded_random.ts";

/** The kinds of faults. Each is drawn as often as every other. */
export const FAULT_KINDS = ["operator", "bound", "constant", "statement", "arguments"] as const;

/** The kind of a fault, named after what it changes. */
export type FaultKind = typeof FAULT_KINDS[number];

/** A fault: `planted` replaces the text of a module from `start` to `stop`. */
export interface Fault {
  readonly path: string;
  readonly kind: FaultKind;
  readonly start: number;
  readonly stop: number;
  readonly planted: string;
}

/** Returns the text of a module with a fault in it. */
export function plantedText(text: string, { start, stop, planted }: Fault): string {
  return text.slice(0, start) + planted + text.slice(stop);
}

/** Describes a fault: its place, and both texts, on one line each. */
export function describeFault(text: string, { path, start, stop, planted }: Fault): string {
  const before = text.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineStop = text.indexOf("\n", stop);
  const rest = text.slice(stop, lineStop < 0 ? text.length : lineStop);
  const short = (line: string) => {
    const flat = line.replace(/\s+/g, " ").trim();
    return flat.length > 150 ? `${flat.slice(0, 149)}…` : flat;
  };
  const head = text.slice(lineStart, start);
  return `${path}:${before.split("\n").length}\n` +
    `  - ${short(head + text.slice(start, stop) + rest)}\n  + ${short(head + planted + rest)}`;
}

/**
 * Draws faults, no two at one place. Each kind is equally likely as long as it has any left.
 */
export function drawFaults(faults: readonly Fault[], count: number, random: SeededRandom): Fault[] {
  const places = new Map(
    FAULT_KINDS.map((kind) => [kind, faults.filter((of) => of.kind === kind)]),
  );
  const drawn: Fault[] = [];
  const taken = new Set<string>();
  while (drawn.length < count) {
    const kinds = FAULT_KINDS.filter((kind) => places.get(kind)!.length > 0);
    if (kinds.length === 0) break;
    const left = places.get(random.pick(kinds))!;
    const [fault] = left.splice(random.below(left.length), 1) as [Fault];
    const place = `${fault.path} ${fault.start} ${fault.stop}`;
    if (taken.has(place)) continue;
    taken.add(place);
    drawn.push(fault);
  }
  return drawn;
}
