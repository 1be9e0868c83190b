/**
 * Loads plugins: modules that export operations and operators.
 *
 * @module
 */

import type { OperatorFactory, StringOp } from "../mod.ts";
import { CommandError } from "./arguments.ts";
import { library } from "./library.ts";

/** The operations and operators of all plugins. */
export interface Plugins {
  readonly operations: readonly StringOp[];
  readonly operators: readonly OperatorFactory[];
}

/** Imports plugins. A specifier is a path from the working folder, or `npm:`, `jsr:` or a URL. */
export async function loadPlugins(specifiers: readonly string[]): Promise<Plugins> {
  if (specifiers.length === 0) return { operations: [], operators: [] };
  const isStringOp = await library.isStringOp();
  const isOperatorFactory = await library.isOperatorFactory();
  const operations: StringOp[] = [];
  const operators: OperatorFactory[] = [];
  for (const specifier of specifiers) {
    const exported = Object.values(await importPlugin(specifier));
    const found = operations.length + operators.length;
    operations.push(...exported.filter(isStringOp));
    operators.push(...exported.filter(isOperatorFactory));
    if (operations.length + operators.length === found) {
      throw new CommandError(
        `Plugin ${specifier} exports nothing that defineStringOp or defineOperator made`,
      );
    }
  }
  return { operations, operators };
}

async function importPlugin(specifier: string): Promise<Record<string, unknown>> {
  const { pathToFileURL } = await import("node:url");
  const isUrl = /^[a-z][a-z+.-]+:/i.test(specifier);
  try {
    return await import(isUrl ? specifier : pathToFileURL(specifier).href);
  } catch (error) {
    const { stripVTControlCharacters } = await import("node:util");
    // Deno colors its messages about modules.
    const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    throw new CommandError(`Cannot load plugin ${specifier}: ${reason}`, { cause: error });
  }
}
