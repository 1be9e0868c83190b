/**
 * Loads plugins: modules that export operations and operators.
 *
 * @module
 */

import type { OperatorFactory, StringOp } from "../../mod.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { library } from "../library/library.ts";

/** The operations and operators of all plugins. */
export interface Plugins {
  readonly operations: readonly StringOp[];
  readonly operators: readonly OperatorFactory[];
}

/**
 * Imports plugins. A specifier is a path relative to the working folder, `npm:NAME` of a package that npm
 * has installed there, or a URL.
 */
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
        `Plugin ${specifier} exports nothing that defineOp or defineOperator made`,
      );
    }
  }
  return { operations, operators };
}

async function importPlugin(specifier: string): Promise<Record<string, unknown>> {
  try {
    return await import(await urlOf(specifier));
  } catch (error) {
    const { stripVTControlCharacters } = await import("node:util");
    // Deno colors its messages about modules.
    const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    // Deno fetches no module that is missing in the lock file of this program.
    const told = /lock ?file/i.test(reason)
      ? "commands do not fetch modules; save it to a file and pass its path"
      : reason;
    throw new CommandError(`Cannot load plugin ${specifier}: ${told}`, { cause: error });
  }
}

/** Returns the URL of the module of a specifier. */
async function urlOf(specifier: string): Promise<string> {
  const { pathToFileURL } = await import("node:url");
  if (!/^[a-z][a-z+.-]+:/i.test(specifier)) return pathToFileURL(specifier).href;
  if (!specifier.startsWith("npm:")) return specifier;
  const { installedPackage } = await import("./installed_package.ts");
  const folder = new URL(`${pathToFileURL(Deno.cwd())}/`);
  const name = specifier.slice("npm:".length);
  const found = await installedPackage(name, folder);
  if (found !== undefined) return found.href;
  throw new Error(`no node_modules folder here contains it; run npm install ${name}`);
}
