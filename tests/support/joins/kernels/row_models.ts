/** Models of the kernels that choose the rows of a result, and that copy them. */

import {
  bitsOf,
  bitTarget,
  endsOf,
  joined,
  type Model,
  putFirstEnd,
  putTexts,
  randomRows,
  randomText,
  type Scene,
  VALUE_WIDTHS,
} from "./scene.ts";

/** Rows + 1 up to 50, of which some are 0: no row. */
function randomFound(scene: Scene): Int32Array {
  const { random } = scene;
  const missing = random.pick([0, 0.5, 1]);
  return scene.words(scene.numRows(), () => random.chance(missing) ? 0 : 1 + random.below(50));
}

const setNulls: Model = (scene) => {
  const { work, random } = scene;
  const found = randomFound(scene);
  const valid = [...found].map(() => random.chance(0.6));
  const nullRow = random.below(9);
  const [validity, at] = [work.put(bitsOf(valid)), work.put(found)];
  return {
    places: [validity, found.length, nullRow, at],
    targets: [work.target(at, found.map((row, index) => valid[index] ? row : nullRow))],
  };
};

const clearRows: Model = (scene) => {
  const { work, random } = scene;
  const found = randomFound(scene);
  const rows = Int32Array.from([...found.keys()].filter(() => random.chance(0.4)));
  const [list, at] = [work.put(rows), work.put(found)];
  return {
    places: [list, list + rows.byteLength, at],
    targets: [work.target(at, found.map((row, index) => rows.includes(index) ? 0 : row))],
  };
};

const noteFound: Model = (scene) => {
  const { work, table } = scene;
  const found = randomFound(scene);
  const matched = scene.noise(51);
  const [at, matchedAt] = [work.put(found), table.put(matched)];
  for (const row of found) matched[row] = 1;
  return {
    places: [at, at + found.byteLength, matchedAt],
    targets: [table.target(matchedAt, matched)],
  };
};

const keepMatches: Model = (scene) => {
  const { work } = scene;
  const found = randomFound(scene);
  const kept = [...found.keys()].filter((row) => found[row] !== 0);
  const [rows, rowsKept] = [work.reserve(found.byteLength), work.reserve(found.byteLength)];
  const slack = kept.length < found.length ? 4 : 0;
  return {
    places: [work.put(found), found.length, rows, rowsKept],
    result: kept.length,
    targets: [
      work.target(rows, Int32Array.from(kept), slack),
      work.target(rowsKept, Int32Array.from(kept, (row) => found[row]!), slack),
    ],
  };
};

const keepOthers: Model = (scene) => {
  const { work } = scene;
  const found = randomFound(scene);
  const kept = [...found.keys()].filter((row) => found[row] === 0);
  const rows = work.reserve(found.byteLength);
  return {
    places: [work.put(found), found.length, rows],
    result: kept.length,
    targets: [work.target(rows, Int32Array.from(kept), kept.length < found.length ? 4 : 0)],
  };
};

const placeRecords: Model = (scene) => {
  const { work, random } = scene;
  const found = randomFound(scene);
  const [records, stride] = [random.pick([2 ** 32 - 2000, 4096]), 4 * (1 + random.below(64))];
  const [at, to] = [work.put(found), work.reserve(found.byteLength)];
  return {
    places: [at, at + found.byteLength, records, stride, to],
    targets: [work.target(to, found.map((row) => (records + stride * row) | 0))],
  };
};

function take(width: number): Model {
  return (scene) => {
    const { work } = scene;
    const data = scene.noise(width * 40);
    const rows = randomRows(scene, 40);
    const values = [...rows].map((row) => data.subarray(width * row, width * (row + 1)));
    const [at, to] = [work.put(rows), work.reserve(width * rows.length)];
    return {
      places: [at, at + rows.byteLength, work.put(data), to],
      targets: [work.target(to, joined(values))],
    };
  };
}

const takeBits: Model = (scene) => {
  const { work, random } = scene;
  const bits = Array.from({ length: 45 }, () => random.chance(0.5));
  const rows = randomRows(scene, bits.length);
  const [at, to] = [work.put(rows), work.reserve(Math.ceil(rows.length / 8))];
  return {
    places: [at, at + rows.byteLength, work.put(bitsOf(bits)), to],
    ...bitTarget(scene, to, [...rows].map((row) => bits[row]!)),
  };
};

const foundBits: Model = (scene) => {
  const { work } = scene;
  const found = randomFound(scene);
  const [at, to] = [work.put(found), work.reserve(Math.ceil(found.length / 8))];
  return {
    places: [at, at + found.byteLength, to],
    ...bitTarget(scene, to, [...found].map((row) => row !== 0)),
  };
};

/** Texts of a column, some of its rows, and their ends, one after another. */
function takenText(scene: Scene) {
  const { work, random } = scene;
  const texts = Array.from({ length: 30 }, () => randomText(scene));
  const rows = randomRows(scene, texts.length);
  const taken = [...rows].map((row) => texts[row]!);
  const ends = endsOf(random.below(100), taken.map(({ length }) => length));
  const at = work.put(rows);
  return { ...putTexts(scene, work, texts), taken, ends, rows: [at, at + rows.byteLength] };
}

const takeSizes: Model = (scene) => {
  const { rows, offsets, ends } = takenText(scene);
  const { at, target } = putFirstEnd(scene, ends);
  return { places: [...rows, offsets, at], result: ends.at(-1)!, targets: [target] };
};

const takeText: Model = (scene) => {
  const { work } = scene;
  const { rows, offsets, data, taken, ends } = takenText(scene);
  const text = joined(taken);
  const to = work.reserve(text.length);
  return {
    places: [...rows, offsets, data, work.put(ends), to - ends[0]!],
    targets: [work.target(to, text, 16)],
  };
};

/** The kernels of `pairs.ts` and `take_columns.ts`. */
export const rowModels: Readonly<Record<string, Model>> = {
  setNulls,
  clearRows,
  noteFound,
  keepMatches,
  keepOthers,
  placeRecords,
  ...Object.fromEntries(VALUE_WIDTHS.flatMap((width) => [
    [`take${width}`, take(width)],
  ])),
  takeBits,
  foundBits,
  takeSizes,
  takeText,
};
