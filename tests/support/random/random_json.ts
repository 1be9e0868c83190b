/** Random JSON text, whose parts are known because it is put together from them. */

import { equal } from "@std/assert";
import type { SeededRandom } from "./seeded_random.ts";

/** A value as it is written, and its parts. */
export interface JsonPart {
  readonly text: string;
  /** The members of an object, in their order; keys may be equal. */
  readonly members?: readonly (readonly [key: string, value: JsonPart])[];
  readonly items?: readonly JsonPart[];
}

const KEYS = ["a", "b", "id", "post code", "a.b", 'q"\\', "é🙂", "", "0"];
const NUMBERS = ["0", "-0", "7", "-12.50", "1e3", "1E-2", "12345678901234567890", "0.1e+05"];
const CHARACTERS = ["a", "é", "中", "🙂", " ", "{", "]", ",", ":", "\\n", '\\"', "\\\\", "\\/"];
const ESCAPES = [
  "\\u00e9",
  "\\uD83D\\ude42",
  "\\ud83d",
  "\\ud83d\\ud83d",
  "\\ude42",
  "\\u0000",
  "\\t",
  "\\b",
  "\\f",
  "\\r",
];

function blank(random: SeededRandom): string {
  return random.chance(0.8) ? "" : random.pick([" ", "\n", "\t\r", "  "]);
}

function quoted(random: SeededRandom, key: string): string {
  const characters = [...key].map((char) => {
    const isEscaped = random.chance(0.2) || char === '"' || char === "\\";
    if (!isEscaped) return char;
    const units = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
  return `"${characters.join("")}"`;
}

function randomString(random: SeededRandom): string {
  const characters = () => random.pick(random.chance(0.7) ? CHARACTERS : ESCAPES);
  return `"${Array.from({ length: random.below(5) }, characters).join("")}"`;
}

/** A random value. */
export function randomJson(random: SeededRandom, depth: number): JsonPart {
  const kind = random.pick(depth > 0 ? ["object", "object", "array", "leaf"] : ["leaf"]);
  if (kind === "leaf") {
    const text = random.pick([randomString(random), random.pick(NUMBERS), "true", "false", "null"]);
    return { text };
  }
  const inner = () => randomJson(random, depth - 1);
  const spaced = (text: string) => blank(random) + text + blank(random);
  const length = random.below(4);
  if (kind === "array") {
    const items = Array.from({ length }, inner);
    const text = items.map((item) => spaced(item.text)).join(",");
    return { text: `[${text || blank(random)}]`, items };
  }
  const keys = random.chance(0.3) ? [random.pick(KEYS)] : KEYS;
  const members = Array.from({ length }, () => [random.pick(keys), inner()] as const);
  const text = members.map(([key, value]) => `${spaced(quoted(random, key))}:${spaced(value.text)}`)
    .join(",");
  return { text: `{${text || blank(random)}}`, members };
}

/** A random path of one to three steps, that at times leads to a value. */
export function randomPath(random: SeededRandom, root: JsonPart): (string | number)[] {
  const path: (string | number)[] = [];
  let part: JsonPart | undefined = root;
  const length = 1 + random.below(3);
  while (path.length < length) {
    const isRight = part !== undefined && random.chance(0.9);
    if (isRight && part?.members !== undefined && part.members.length > 0) {
      path.push(random.pick(part.members)[0]);
    } else if (isRight && part?.items !== undefined && part.items.length > 0) {
      path.push(random.chance(0.3) ? -1 : random.below(part.items.length));
    } else if (path.length > 0 && random.chance(0.7)) {
      break;
    } else {
      path.push(random.chance(0.5) ? random.pick(KEYS) : random.below(4) - 1);
    }
    part = stepInto(part, path.at(-1)!);
  }
  return path;
}

function stepInto(part: JsonPart | undefined, step: string | number): JsonPart | undefined {
  if (typeof step === "number") return part?.items?.at(step);
  return part?.members?.findLast(([key]) => key === step)?.[1];
}

/** What a path leads to, as text: of equal keys the last one counts. */
export function valueAtPath(root: JsonPart, path: readonly (string | number)[]): string | null {
  let part: JsonPart | undefined = root;
  for (const step of path) part = stepInto(part, step);
  if (part === undefined || part.text === "null") return null;
  return part.text.startsWith('"') ? JSON.parse(part.text).toWellFormed() : part.text;
}

/** The text with a byte too many, too few or another one. */
export function spoiltJson(random: SeededRandom, text: string): string {
  const characters = [...text];
  const at = random.below(characters.length + 1);
  const other = random.pick([...'{}[],:"\\0-.e1tn \u0001', "é"]);
  characters.splice(at, random.below(3), ...random.chance(0.6) ? [other] : []);
  return characters.join("");
}

/** Whether a result is what JSON.parse() finds at a path; in objects it keeps the last of equal keys. */
export function isParsedValue(
  text: string,
  path: readonly (string | number)[],
  result: string | null,
): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return result === null;
  }
  for (const step of path) {
    const isList = Array.isArray(value);
    if (typeof value !== "object" || value === null || isList !== (typeof step === "number")) {
      return result === null;
    }
    if (isList) value = (value as unknown[]).at(step as number);
    else value = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
  }
  if (value === undefined || value === null || result === null) return (value ?? null) === result;
  if (typeof value === "string") return result === value.toWellFormed();
  return equal(JSON.parse(result), value);
}
