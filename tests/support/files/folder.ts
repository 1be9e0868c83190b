/** Folders of tests. */

/** The files that a folder begins with. */
type Files = Readonly<Record<string, string | Uint8Array>>;
type Use = (folder: string) => Promise<void>;

/**
 * Runs a test with a folder of its own, with these files in it, which is removed afterwards. With
 * files given, nothing may be left behind that was only begun to be written.
 */
export async function inFolder(...args: [use: Use] | [files: Files, use: Use]): Promise<void> {
  const [files, use] = args.length === 1 ? [null, args[0]] : args;
  const folder = await Deno.makeTempDir({ prefix: "sluice-test-" });
  try {
    for (const [name, content] of Object.entries(files ?? {})) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    await use(folder);
    const leftover = [...Deno.readDirSync(folder)].find(({ name }) => name.includes(".partial"));
    if (files !== null && leftover !== undefined) {
      throw new Error(`${leftover.name} was left behind`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
