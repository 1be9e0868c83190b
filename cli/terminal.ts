/**
 * The terminal that shows our output.
 *
 * @module
 */

/** Columns of the terminal behind stdout or stderr; Infinity where there is none that tells. */
export function terminalColumns(output: { isTerminal(): boolean }): number {
  const columns = output.isTerminal() ? Deno.consoleSize().columns : 0;
  return columns === 0 ? Infinity : columns;
}
