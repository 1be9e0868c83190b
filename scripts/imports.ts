/**
 * Finds the imports of a module in its text.
 *
 * @module
 */

/** One import or re-export. */
export interface Import {
  readonly specifier: string;
  /** The imported names, including types; `*` for a whole namespace. */
  readonly names: readonly string[];
  /** The names that exist at run time; empty for `import type`, `*` for a whole namespace. */
  readonly values: readonly string[];
  /** Whether it is dynamic: loaded only when that code runs. */
  readonly dynamic: boolean;
}

/** Finds the imports of TypeScript source. Ignores examples in comments. */
export function findImports(source: string): Import[] {
  const code = source.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const imports: Import[] = [];
  const statement = /^\s*(?:import|export)\s+(type\s+)?([^"';()]*?\sfrom\s+)?"([^"]+)"/gm;
  for (const [, type, clause = "", specifier] of code.matchAll(statement)) {
    const { names, values } = clauseNames(clause);
    const all = { specifier: specifier!, names, dynamic: false };
    imports.push({ ...all, values: type === undefined ? values : [] });
  }
  for (const [, before, specifier] of code.matchAll(/(typeof\s+)?\bimport\(\s*"([^"]+)"/g)) {
    const values = before ? [] : ["*"];
    imports.push({ specifier: specifier!, names: ["*"], values, dynamic: true });
  }
  return imports;
}

/** Returns the names of an import clause: all of them, and those that are not marked as types. */
function clauseNames(clause: string): { names: string[]; values: string[] } {
  const whole = clause.replace(/\{[^}]*\}/, "").replace(/\sfrom\s+$/, "").replace(/,/g, "").trim();
  const namespace = whole === "" ? [] : ["*"];
  const items = (/\{([^}]*)\}/.exec(clause)?.[1]?.split(",") ?? [])
    .map((item) => item.trim().replace(/\s+as\s.*/, ""))
    .filter((item) => item !== "");
  const names = items.map((item) => item.replace(/^type\s+/, ""));
  return {
    names: [...names, ...namespace],
    values: [...items.filter((item) => !/^type\s/.test(item)), ...namespace],
  };
}
