/**
 * Finds the name that the user probably meant, and formats names for errors.
 *
 * @module
 */

/**
 * Returns the name with the fewest edits from `name` (insert, delete, replace, swap neighbours; letter
 * case is free), the first of several; undefined if none is near enough. A name of one letter is never
 * near, since every letter is one edit from every other.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    const isNear = distance < Math.max(wanted.length, candidate.length);
    if (distance < bestDistance && isNear) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Matches names that need quotes: empty, or with outer, double or unusual blanks, commas or quotes. */
const unclear = /^$|^\s|\s$|\s\s|[^\S ]|[,"\\]/u;

/** Returns a name, in quotes if a reader could not otherwise see its blanks or its end. */
export function showName(name: string): string {
  return unclear.test(name) ? JSON.stringify(name) : name;
}

/** Returns `; did you mean upper?`, or an empty text if no name is near. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? "" : `; did you mean ${showName(nearest)}?`;
}

/** Returns the message for a column that is not among `names`; `whose` follows its name. */
export function unknownColumn(name: string, names: readonly string[], whose = ""): string {
  return `Unknown column ${showName(name)}${whose}${otherColumns(name, names)}`;
}

/** Returns the column that was probably meant, or else the first columns, after a semicolon. */
export function otherColumns(name: string, names: readonly string[]): string {
  return otherNames(name, names, "columns");
}

/** Returns the name that was probably meant, or else the first of these things, after a semicolon. */
export function otherNames(name: string, names: readonly string[], things: string): string {
  return didYouMean(name, names) || `; there are ${listed(names, things)}`;
}

/** The maximum number of names that an error lists. */
const MAX_LISTED = 8;

function listed(names: readonly string[], things: string): string {
  if (names.length === 0) return `no ${things}`;
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : "";
  return names.slice(0, MAX_LISTED).map(showName).join(", ") + more;
}

/** Returns the optimal string alignment distance, computed in three rolling rows. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) {
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
