/**
 * A copy of the checkout, into which faults are planted. It lies outside, so that nothing of it is ever
 * committed by mistake.
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
   * Makes the copy in a folder of that name among temporary files, as a worktree of git, with the packages
   * of the checkout. One that a run has left that was ended is used again.
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

  /** Does some work while a module has another text. */
  async withText<T>(path: string, text: string, work: () => Promise<T>): Promise<T> {
    await this.write(path, text);
    try {
      return await work();
    } finally {
      // Tests of a fault may leave what they had begun, and the fuzzer keeps what fails.
      await git(this.root, ["checkout", "-q", "."]);
      await git(this.root, ["clean", "-fdq", "-e", "node_modules"]);
    }
  }

  /** Writes a module, and bundles the programs of threads again, which it may be part of. */
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

/** Runs git and gives what it prints. */
export async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!success) throw new Error(`git ${args[0]} failed: ${text(stderr)}`);
  return text(stdout);
}
