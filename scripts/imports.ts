/**
 * The imports of a module, read from its text.
 *
 * @module
 */

/** One import or re-export. */
export interface Import {
  readonly specifier: string;
  /** Names that are taken, types too; `*` for a whole namespace. */
  readonly names: readonly string[];
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

/** The names of an import clause: all of them, and those that are not marked as types. */
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
