/** What `at` means: an oracle that parses the whole text. Containers are written without blanks. */

/** The value at a path of keys without signs and of indices. */
export function jsonModel(text: string, path: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  for (const step of path.match(/[^.[\]]+|\[-?\d+\]/g) ?? []) {
    const isIndex = step.startsWith("[");
    if (typeof value !== "object" || value === null || Array.isArray(value) !== isIndex) {
      return null;
    }
    value = Array.isArray(value) ? value.at(Number(step.slice(1, -1))) : Object.entries(value)
      .find(([key]) => key === step)?.[1];
  }
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
}
