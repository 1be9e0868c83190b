/**
 * Cases that failed once, as files: each is shrunk, and replayed by every run of the tests.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { decodeCase, encodeCase, type FuzzCase } from "./fuzz_case.ts";

const FOLDER = new URL("../corpus/", import.meta.url);

/** Paths of all files, from the root of the checkout. */
export function corpusFiles(): string[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort()
    .map((name) => `tests/corpus/${name}`);
}

/** The case of a file. */
export function readCase(path: string): FuzzCase {
  return decodeCase(Deno.readTextFileSync(path));
}

/** Keeps a case under a name that its kind and its content give; gives the path. */
export async function keepCase(given: FuzzCase, kind: string): Promise<string> {
  const json = encodeCase(given);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(json));
  const slug = kind.toLowerCase().replace(/\(.*/, "").replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const name = `${slug}-${new Uint8Array(digest).toHex().slice(0, 8)}.json`;
  Deno.mkdirSync(FOLDER, { recursive: true });
  await Deno.writeTextFile(fileURLToPath(new URL(name, FOLDER)), json);
  return `tests/corpus/${name}`;
}
