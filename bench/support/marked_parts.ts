/**
 * Replaces the parts of a page that a program writes, between `<!-- bench NAME -->` and `<!-- end bench -->`.
 *
 * @module
 */

/** Returns the page with new parts. Throws an Error if it lacks a part. */
export function replaceParts(page: string, parts: Readonly<Record<string, string>>): string {
  let replaced = page;
  for (const [name, text] of Object.entries(parts)) {
    const start = `<!-- bench ${name} -->`;
    const stop = "<!-- end bench -->";
    const from = replaced.indexOf(start);
    const to = replaced.indexOf(stop, from);
    if (from < 0 || to < 0) throw new Error(`The page has no part "${start}" with an end`);
    replaced = `${replaced.slice(0, from + start.length)}\n\n${text}\n\n${replaced.slice(to)}`;
  }
  return replaced;
}
