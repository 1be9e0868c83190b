/** Python's `format` as an oracle of formats of numbers. */

/** A number in a format: a float by its bits in hexadecimal digits, or an integer in decimal ones. */
export type FormatCase =
  | { readonly format: string; readonly bits: string }
  | { readonly format: string; readonly integer: string };

/** The texts of Python. It makes a float of an integer in some types: here those are exact. */
export async function formatsOfPython(cases: readonly FormatCase[]): Promise<string[]> {
  const child = new Deno.Command("python3", {
    args: [new URL("./python_formats.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const sent = ReadableStream.from([new TextEncoder().encode(JSON.stringify(cases))])
    .pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  await sent;
  if (!success) throw new Error("python3 failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}
