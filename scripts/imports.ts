/**
 * The imports of a module, read from its text.
 *
 * @module
 */

/** One import or re-export. */
export interface Import {
  readonly specifier: string;
  /** Names that exist at run time; empty for `import type`, `*` for a whole namespace. */
  readonly values: readonly string[];
  /** Whether it is loaded only when the code gets there. */
  readonly dynamic: boolean;
}

/** Finds the imports of TypeScript source. Examples in comments do not count. */
export function findImports(source: string): Import[] {
  const code = source.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const imports: Import[] = [];
  const statement = /^\s*(?:import|export)\s+(type\s+)?([^"';()]*?\sfrom\s+)?"([^"]+)"/gm;
  for (const [, type, clause = "", specifier] of code.matchAll(statement)) {
    const values = type === undefined ? valueNames(clause) : [];
    imports.push({ specifier: specifier!, values, dynamic: false });
  }
  for (const [, before, specifier] of code.matchAll(/(typeof\s+)?\bimport\(\s*"([^"]+)"/g)) {
    imports.push({ specifier: specifier!, values: before ? [] : ["*"], dynamic: true });
  }
  return imports;
}

function valueNames(clause: string): string[] {
  const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(",") ?? [];
  const values = names.map((name) => name.trim()).filter((name) => name && !/^type\s/.test(name));
  const whole = clause.replace(/\{[^}]*\}/, "").replace(/\sfrom\s+$/, "").replace(/,/g, "").trim();
  return values.map((name) => name.replace(/\s+as\s.*/, "")).concat(whole === "" ? [] : ["*"]);
}
