/**
 * Loads plugins: modules that export operations and operators.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type { OperatorFactory, StringOp } from "../mod.ts";
import { CommandError } from "./arguments.ts";

/** The type guards that recognize the exports of a plugin. */
type Brands = Pick<typeof import("../mod.ts"), "isStringOp" | "isOperatorFactory">;

/** The operations and operators of all plugins. */
export interface Plugins {
  readonly operations: readonly StringOp[];
  readonly operators: readonly OperatorFactory[];
}

/** Imports plugins. A specifier is a path from the working folder, or `npm:`, `jsr:` or a URL. */
export async function loadPlugins(specifiers: readonly string[], brands: Brands): Promise<Plugins> {
  const operations: StringOp[] = [];
  const operators: OperatorFactory[] = [];
  for (const specifier of specifiers) {
    const exported = Object.values(await importPlugin(specifier));
    const found = operations.length + operators.length;
    operations.push(...exported.filter(brands.isStringOp));
    operators.push(...exported.filter(brands.isOperatorFactory));
    if (operations.length + operators.length === found) {
      throw new CommandError(
        `Plugin ${specifier} exports nothing that defineStringOp or defineOperator made`,
      );
    }
  }
  return { operations, operators };
}

async function importPlugin(specifier: string): Promise<Record<string, unknown>> {
  const isUrl = /^[a-z][a-z+.-]+:/i.test(specifier);
  try {
    return await import(isUrl ? specifier : pathToFileURL(specifier).href);
  } catch (error) {
    // Deno colors its messages about modules.
    const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    throw new CommandError(`Cannot load plugin ${specifier}: ${reason}`, { cause: error });
  }
}
