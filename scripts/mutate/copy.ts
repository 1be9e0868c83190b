/**
 * A copy of the checkout, in which faults are planted. It lies outside of the checkout, so that no fault is
 * ever committed by mistake.
 *
 * @module
 */

import { tmpdir } from "node:os";

/** A copy of a commit. */
export class Copy implements AsyncDisposable {
  readonly root: string;
  readonly #checkout: string;

  private constructor(checkout: string, root: string) {
    this.#checkout = checkout;
    this.root = root;
  }

  /**
   * Creates the copy as a git worktree in a folder `name` among temporary files, with the packages of the
   * checkout. Replaces a copy that an interrupted run left.
   */
  static async make(checkout: string, commit: string, name: string): Promise<Copy> {
    const root = `${tmpdir()}/${name}`;
    const copy = new Copy(checkout, root);
    const known = await git(checkout, ["worktree", "list", "--porcelain"]);
    if (known.split("\n").includes(`worktree ${root}`)) await copy[Symbol.asyncDispose]();
    await git(checkout, ["worktree", "add", "-q", "--detach", root, commit]);
    await Deno.symlink(`${checkout}/node_modules`, `${root}/node_modules`);
    return copy;
  }

  /** Runs `work` while a module has another text. */
  async withText<T>(path: string, text: string, work: () => Promise<T>): Promise<T> {
    await this.write(path, text);
    try {
      return await work();
    } finally {
      // Tests that fail may leave files behind, and the fuzzer writes failing cases.
      await git(this.root, ["checkout", "-q", "."]);
      await git(this.root, ["clean", "-fdq", "-e", "node_modules"]);
    }
  }

  /** Writes a module, and bundles the programs of threads again, since it may be part of one. */
  async write(path: string, text: string): Promise<void> {
    await Deno.writeTextFile(`${this.root}/${path}`, text);
    if (!path.endsWith(".ts")) return;
    const args = ["run", "-q", "-A", "scripts/bundle_threads.ts", "--update"];
    const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: this.root }).output();
    if (!success) throw new Error("The programs of threads cannot be bundled");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await git(this.#checkout, ["worktree", "remove", "--force", this.root]);
  }
}

/** Runs git and returns its output. */
export async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!success) throw new Error(`git ${args[0]} failed: ${text(stderr)}`);
  return text(stdout);
}
