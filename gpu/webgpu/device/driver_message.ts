/**
 * Shortens the messages of drivers.
 *
 * @module
 */

/** Returns the first meaningful line of a message, without the shader listing that follows. */
export function oneLine(message: string): string {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return (lines.length > 1 && lines[0]!.endsWith(":") ? lines.slice(0, 2).join(" ") : lines[0]) ??
    "unknown reason";
}
