/** Models of the kernels that gather values out of records. */

import {
  bitTarget,
  endsOf,
  joined,
  type Model,
  putFirstEnd,
  randomRows,
  randomText,
  type Scene,
  VALUE_WIDTHS,
} from "./scene.ts";

/** Records of noise with a field each, in the memory of a table, and the places of some of them. */
function putRecords(scene: Scene, fields: readonly Uint8Array[]) {
  const { work, table, random } = scene;
  const at = random.below(30);
  const stride = at + Math.max(...fields.map(({ length }) => length)) + random.below(10);
  const records = scene.noise(stride * fields.length);
  fields.forEach((field, record) => records.set(field, stride * record + at));
  const first = table.put(records);
  const rows = randomRows(scene, fields.length);
  const places = work.put(rows.map((row) => first + stride * row));
  return { at, rows, places, end: places + rows.byteLength };
}

function gather(width: number): Model {
  return (scene) => {
    const { work, random } = scene;
    const fields = Array.from({ length: 20 }, () => scene.noise(width));
    const { at, rows, places, end } = putRecords(scene, fields);
    const step = width + random.pick([0, 0, 1, 8]);
    const to = work.reserve(step * rows.length);
    return {
      places: [places, end, at, to, step],
      targets: [...rows].map((row, index) => work.target(to + step * index, fields[row]!)),
    };
  };
}

const gatherBits: Model = (scene) => {
  const { work, random } = scene;
  const fields = Array.from({ length: 20 }, () => scene.noise(1));
  const { at, rows, places, end } = putRecords(scene, fields);
  const [shift, to] = [random.below(8), work.reserve(Math.ceil(rows.length / 8))];
  const bits = [...rows].map((row) => ((fields[row]![0]! >> shift) & 1) === 1);
  return { places: [places, end, at, shift, to], ...bitTarget(scene, to, bits) };
};

/** Texts after their sizes in records; those longer than `inline` bytes lie elsewhere. */
function recordText(scene: Scene, inline: number, most = Infinity) {
  const { table, random } = scene;
  const texts = Array.from({ length: 30 }, () => randomText(scene).subarray(0, most));
  const fields = texts.map((text) => {
    const field = scene.noise(4 + Math.max(inline, 4));
    const view = new DataView(field.buffer);
    view.setInt32(0, text.length, true);
    if (text.length > inline) view.setInt32(4, table.put(text), true);
    else field.set(text, 4);
    return field;
  });
  const records = putRecords(scene, fields);
  const taken = [...records.rows].map((row) => texts[row]!);
  const ends = endsOf(random.below(100), taken.map(({ length }) => length));
  return { ...records, ends, text: joined(taken) };
}

const gatherShort: Model = (scene) => {
  const { work } = scene;
  const { at, places, end, ends, text } = recordText(scene, 16, 16);
  const { at: endsAt, target } = putFirstEnd(scene, ends);
  const to = work.reserve(text.length);
  return {
    places: [places, end, at, endsAt, to - ends[0]!],
    targets: [target, work.target(to, text, 16)],
  };
};

const gatherSizes: Model = (scene) => {
  const { at, places, end, ends } = recordText(scene, scene.random.pick([4, 16]));
  const { at: endsAt, target } = putFirstEnd(scene, ends);
  return { places: [places, end, at, endsAt], result: ends.at(-1)!, targets: [target] };
};

const gatherLong: Model = (scene) => {
  const { work, random } = scene;
  const inline = random.pick([4, 8, 12, 16]);
  const { at, places, end, ends, text } = recordText(scene, inline);
  const to = work.reserve(text.length);
  return {
    places: [places, end, at, inline, work.put(ends), to - ends[0]!],
    targets: [work.target(to, text, 16)],
  };
};

const touchRecords: Model = (scene) => {
  const fields = Array.from({ length: 20 }, () => scene.noise(4));
  const { at, rows, places } = putRecords(scene, fields);
  // The field is read as if the records began there.
  const words = new Int32Array(scene.work.bytes.buffer.slice(places, places + rows.byteLength));
  const moved = scene.work.put(words.map((place) => place + at));
  const read = [...rows].map((row) => new DataView(fields[row]!.buffer).getInt32(0, true));
  return {
    places: [moved, moved + rows.byteLength],
    result: read.reduce((sum, word) => sum | word, 0),
    targets: [],
  };
};

/** The kernels of `gather_records.ts`. */
export const recordModels: Readonly<Record<string, Model>> = {
  ...Object.fromEntries(VALUE_WIDTHS.map((width) => [`gather${width}`, gather(width)])),
  gatherBits,
  gatherShort,
  gatherSizes,
  gatherLong,
  touchRecords,
};
