/**
 * Reads paths into JSON text, such as `items[0].name`, and writes them.
 *
 * @module
 */

/** A step of a path: the key of an object, or the index of an item; -1 is the last item. */
export type JsonStep = string | number;

/** One step at the start of the rest of a path: `.key`, `[0]`, `["key"]`. */
const STEP = /\.?([^.[\]"']+)|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Returns the steps of a path, or a text with the problem. */
export function jsonPath(path: string): readonly JsonStep[] | string {
  if (path === "") return "the path is empty";
  if (/^\$[.[]/.test(path)) {
    return `a path starts with a key, without $: ${JSON.stringify(path.replace(/^\$\.?/, ""))}`;
  }
  const steps: JsonStep[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length;) {
    const start = STEP.lastIndex;
    const [text, key, index, quoted] = STEP.exec(path) ?? [];
    if (text === undefined) {
      return `the path cannot be read from ${JSON.stringify(path.slice(start))} on`;
    }
    if (key !== undefined) {
      // `a[0]b` and `.a` have a dot too few and one too many.
      if (text.startsWith(".") !== (start > 0)) {
        return `the path cannot be read from ${JSON.stringify(path.slice(start))} on`;
      }
      steps.push(key);
    } else if (index !== undefined) {
      if (Number(index) < -1 || Number(index) > 0x7fffffff) {
        return `an index is 0 or more, or -1 for the last item, not ${index}`;
      }
      steps.push(Number(index));
    } else {
      steps.push(JSON.parse(quoted!));
    }
  }
  return steps;
}

/** Returns the path of steps. */
export function printJsonPath(steps: readonly JsonStep[]): string {
  return steps.map((step, place) => {
    if (typeof step === "number") return `[${step}]`;
    if (!/^[^.[\]"'$]+$/.test(step)) return `[${JSON.stringify(step)}]`;
    return place === 0 ? step : `.${step}`;
  }).join("");
}
