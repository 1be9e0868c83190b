/** @module */

/** The bytes that a line of Python hands to `out`: files of formats that Deno has no writer of. */
export async function pythonBytes(code: string): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command("python3", {
    args: ["-c", `import sys; out = sys.stdout.buffer.write\n${code}`],
  }).output();
  if (!success) throw new Error(`python3 failed: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}
