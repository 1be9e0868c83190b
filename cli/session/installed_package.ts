/**
 * Finds packages that npm has installed.
 *
 * @module
 */

/**
 * Returns the main module of a package in the `node_modules` of a folder or of one above it; undefined if
 * there is none. Reads `exports` as an import does, and ignores a version after the name.
 */
export async function installedPackage(name: string, folder: URL): Promise<URL | undefined> {
  const [bare] = /^(@[^/]+\/)?[^/@]+/.exec(name) ?? [];
  if (bare === undefined) return undefined;
  const below = name.slice(bare.length).replace(/^@[^/]+/, "");
  for (let from = folder;; from = new URL("../", from)) {
    const place = new URL(`node_modules/${bare}/`, from);
    const described = await readText(new URL("package.json", place));
    if (described !== undefined) {
      const entry = below === "" ? entryOf(JSON.parse(described)) : `.${below}`;
      return entry === undefined ? undefined : new URL(entry, place);
    }
    if (new URL("../", from).href === from.href) return undefined;
  }
}

async function readText(path: URL): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return undefined;
  }
}

/** Returns the main module that a package declares. */
function entryOf({ exports, module, main }: Record<string, unknown>): string | undefined {
  const own = exports as Record<string, unknown> | undefined;
  const entry = targetOf(own?.["."] ?? exports) ?? module ?? main ?? "./index.js";
  return typeof entry === "string" ? entry : undefined;
}

/** Returns the target of `exports` for an import: that of the first condition that applies. */
function targetOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  for (const [condition, target] of Object.entries(exports)) {
    if (!["deno", "import", "module", "default"].includes(condition)) continue;
    const found = targetOf(target);
    if (found !== undefined) return found;
  }
  return undefined;
}
