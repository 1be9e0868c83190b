/**
 * Defines the operation that reads a value at a path of JSON text.
 *
 * @module
 */

import { scratch } from "../../../gpu/kernel/language/scratch.ts";
import { DataType } from "apache-arrow";
import type { CallArgs } from "../../syntax/overload.ts";
import { receiverOf } from "../../syntax/receiver.ts";
import { defineStringOp, type StringOp } from "../define/define_string_op.ts";
import { jsonPath } from "./json_path.ts";
import { escapedChar, escapeSize, isJsonSpace, numberEnd } from "./tokens.ts";

/** The deepest nesting of JSON text, in containers, 32 of which share a word of the stack. */
const MAX_DEPTH = 1024;

/** A step that is a key, and one that is the last item, in the table of steps. */
const [KEY, LAST] = [-1, -2];

/** What may come next in the text: these four, the end of a value, and nothing after a mistake. */
const [VALUE, FIRST_ITEM, FIRST_KEY, NEXT_KEY, AFTER, BAD] = [0, 1, 2, 3, 4, 5];

/** Returns the steps: an index, `KEY` or `LAST`, then the range of the key among all keys. */
function pathConsts({ path }: CallArgs) {
  const steps = jsonPath(String(path));
  const encoder = new TextEncoder();
  const table: number[] = [];
  let keys = "";
  let size = 0;
  for (const step of typeof steps === "string" ? [] : steps) {
    const start = size;
    if (typeof step === "string") {
      keys += step.toWellFormed();
      size += encoder.encode(step).length;
    }
    table.push(typeof step === "string" ? KEY : step < 0 ? LAST : step, start, size);
  }
  return {
    steps: Int32Array.from(table),
    numSteps: table.length / 3,
    keys,
    objects: scratch(MAX_DEPTH / 32),
    ...{ KEY, LAST, VALUE, FIRST_ITEM, FIRST_KEY, NEXT_KEY, AFTER, BAD, MAX_DEPTH },
    yes: "true",
    no: "false",
    nothing: "null",
    escapedChar,
    escapeSize,
    isJsonSpace,
    numberEnd,
  };
}

/**
 * The value at a path of JSON text, as text; null where there is none, where it is null, and where the
 * text is not JSON.
 */
export const at: StringOp<[path: string]> = defineStringOp({
  name: "at",
  group: "json",
  kind: "emit",
  args: { path: "literal" },
  accepts: { path: "string" },
  summary: "The value at a path of JSON text; null where there is none",
  details: "A path has keys, and indices from 0 on or -1 for the last item: `items[0].name`, " +
    '`["post code"].b`. A string comes without its quotes and escapes, any other value as it is ' +
    "written. The result is null, too, where the value is null and where the text is not JSON. Of " +
    "equal keys the last one counts. A JSON text of more than 1,024 levels is taken for none.",
  differs: [
    "DuckDB: `->>` fails where the text is not JSON and at half of a surrogate pair, which is " +
    "U+FFFD here; of equal keys it takes the first, and it writes numbers, lists and objects anew",
    "jq: `.a.b` fails where the text is not JSON, and at a value that is neither an object nor " +
    "null; it writes numbers, lists and objects anew",
  ],
  examples: [
    { input: '{"user": {"id": 7}}', args: ["user.id"], result: "7" },
    { input: '{"items": [{"name": "a\\u00e9"}]}', args: ["items[0].name"], result: "aé" },
    { input: '{"items": [1, [2, 3]]}', args: ["items[-1]"], result: "[2, 3]" },
    { input: '{"post code": null}', args: ['["post code"]'], result: null },
    { input: "user: 7", args: ["user"], result: null },
  ],
  instead: (type) =>
    DataType.isStruct(type)
      ? "a field of a struct is written with a dot: address.city"
      : receiverOf(type) === "list"
      ? "get(0) takes an item of a list"
      : undefined,
  check({ path }) {
    const steps = jsonPath(String(path));
    return typeof steps === "string" ? steps : undefined;
  },
  consts: pathConsts,
  row(
    out,
    text,
    {
      steps,
      numSteps,
      keys,
      objects,
      yes,
      no,
      nothing,
      VALUE,
      FIRST_ITEM,
      FIRST_KEY,
      NEXT_KEY,
      AFTER,
      BAD,
      KEY,
      LAST,
      MAX_DEPTH,
      escapedChar,
      escapeSize,
      isJsonSpace,
      numberEnd,
    },
  ) {
    let at = 0;
    let next = VALUE;
    let depth = 0;
    let isObject = false;
    // The containers on the path so far, and the item that comes next in the innermost of them.
    let taken = 0;
    let index = 0;
    // Whether the value that comes next is on the path.
    let isTaken = true;
    let start = -1;
    let stop = -1;
    while (at < text.size && next !== BAD) {
      const byte = text.byteAt(at);
      const isKey = next === FIRST_KEY || next === NEXT_KEY;
      const isValue = next === VALUE || next === FIRST_ITEM;
      if (isJsonSpace(byte)) {
        at++;
        continue;
      }
      if (isValue && isTaken && byte !== 0x5d) {
        // Another value of an equal key, or another last item, takes the place of the one before.
        start = depth === numSteps ? at : -1;
      }
      if (byte === 0x22 && (isKey || isValue)) {
        const step = 3 * depth - 3;
        let isSame = isKey && taken === depth && depth <= numSteps && steps.at(step) === KEY;
        let key = steps.at(step + 1);
        at++;
        let isOpen = true;
        while (isOpen && next !== BAD) {
          // Bytes that no key is compared with are skipped together.
          if (!isSame) {
            const rest = text.sub(at, text.size);
            let plain = 0;
            while (plain < rest.size) {
              const other = rest.charAt(plain);
              if (other === 0x22 || other === 0x5c || other < 0x20) break;
              plain = rest.next(plain);
            }
            at += plain;
          }
          // 0 behind the text.
          const char = text.byteAt(at);
          if (char === 0x22) {
            isOpen = false;
          } else if (char === 0x5c) {
            const escaped = escapedChar(text, at);
            if (escaped < 0) next = BAD;
            isSame = isSame && key < steps.at(step + 2) && keys.charAt(key) === escaped;
            key = keys.next(key);
            at += escapeSize(text, at, escaped);
          } else {
            if (char < 0x20) next = BAD;
            isSame = isSame && key < steps.at(step + 2) && keys.byteAt(key) === char;
            key++;
            at++;
          }
        }
        at++;
        if (isKey) {
          isTaken = isSame && key === steps.at(step + 2);
          while (isJsonSpace(text.byteAt(at))) at++;
          if (text.byteAt(at) !== 0x3a) next = BAD;
          at++;
          if (next !== BAD) next = VALUE;
        } else {
          if (isTaken && depth === numSteps) stop = at;
          if (next !== BAD) next = AFTER;
        }
      } else if (isValue && (byte === 0x7b || byte === 0x5b)) {
        isObject = byte === 0x7b;
        const bit = 1 << (depth & 31);
        const word = objects.at(depth >> 5) & ~bit;
        objects.set(depth >> 5, isObject ? word | bit : word);
        depth++;
        if (isTaken) {
          taken++;
          index = 0;
        }
        const step = taken === depth && depth <= numSteps ? steps.at(3 * depth - 3) : KEY;
        isTaken = step === 0 || step === LAST;
        next = depth > MAX_DEPTH ? BAD : isObject ? FIRST_KEY : FIRST_ITEM;
        at++;
      } else if (
        (byte === 0x7d && (next === FIRST_KEY || (next === AFTER && depth > 0 && isObject))) ||
        (byte === 0x5d && (next === FIRST_ITEM || (next === AFTER && depth > 0 && !isObject)))
      ) {
        at++;
        const wasTaken = taken === depth;
        depth--;
        if (wasTaken) {
          taken--;
          if (depth === numSteps) stop = at;
          // That item of the list around it was on the path.
          index = steps.at(3 * depth - 3);
        }
        isObject = depth > 0 && ((objects.at((depth - 1) >> 5) >>> ((depth - 1) & 31)) & 1) === 1;
        next = AFTER;
      } else if (byte === 0x2c && next === AFTER && depth > 0) {
        at++;
        if (taken === depth) index++;
        const step = taken === depth && depth <= numSteps ? steps.at(3 * depth - 3) : KEY;
        isTaken = !isObject && (step === index || step === LAST);
        next = isObject ? NEXT_KEY : VALUE;
      } else if (isValue) {
        if (text.sub(at, at + 4).equals(yes) || text.sub(at, at + 4).equals(nothing)) at += 4;
        else if (text.sub(at, at + 5).equals(no)) at += 5;
        else at = numberEnd(text, at);
        if (isTaken && depth === numSteps) stop = at;
        next = at < 0 ? BAD : AFTER;
      } else {
        next = BAD;
      }
    }
    if (next !== AFTER || depth > 0 || start < 0 || text.byteAt(start) === 0x6e) return null;
    if (text.byteAt(start) !== 0x22) {
      out.copy(text.sub(start, stop));
    } else {
      let from = start + 1;
      let to = from;
      while (to < stop - 1) {
        if (text.byteAt(to) === 0x5c) {
          out.copy(text.sub(from, to));
          const escaped = escapedChar(text, to);
          out.put(escaped);
          to += escapeSize(text, to, escaped);
          from = to;
        } else {
          to++;
        }
      }
      out.copy(text.sub(from, to));
    }
  },
});
