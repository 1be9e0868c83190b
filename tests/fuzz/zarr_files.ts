/** Arrays of Zarr in folders: written by several writers, and read by several judges. */

import FileSystemStore from "@zarrita/storage/fs";
import * as zarr from "zarrita";
import { type BatchStream, type Engine, read, write } from "../../mod.ts";
import { askZarrPython, hasZarr } from "../support/judges/zarr_python.ts";
import { textsOfPython, zarrOfPython } from "../support/judges/python_zarr.ts";
import { valuesOf } from "../support/values/arrow_values.ts";
import { createFixed, createVariable } from "../support/zarr/stored_arrays.ts";
import { writeItems } from "../support/zarr/zarr_items.ts";
import { writeTexts } from "../support/zarr/zarr_texts.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { TableColumn } from "./model_table.ts";
import {
  bytesOfItems,
  ZARR_PEERS,
  type ZarrItems,
  zarrItems,
  type ZarrLayout,
  zarrMetadata,
  type ZarrPeer,
} from "./zarr_layout.ts";
import { itemsOf, itemsOfLayout, type ModelChunks, product } from "./zarr_model.ts";

/** Those that are on this machine. Python takes a process for each array. */
export function peersHere(): readonly ZarrPeer[] {
  return ZARR_PEERS.filter((peer) =>
    peer === "zarrita" || (peer === "python" ? hasPython() : hasZarr())
  );
}

function hasPython(): boolean {
  try {
    return new Deno.Command("python3", { args: ["-c", ""] }).outputSync().success;
  } catch {
    return false;
  }
}

/** Whether a peer knows all that is in an array of a layout with such items. */
export function knowsArray(
  peer: ZarrPeer,
  layout: Pick<ZarrLayout, "version" | "codec" | "shape" | "shard" | "isChecked" | "fill">,
  { itemBytes, names: [name, letters] }: ZarrItems,
  as: "writer" | "judge",
): boolean {
  const { version, codec, shape, shard, isChecked, fill } = layout;
  switch (peer) {
    case "zarrita": {
      const isPlain = /^(bool|u?int\d+|float\d+|string)$/.test(name ?? "");
      // It writes no shards, and encodes neither text nor by these codecs.
      const isWritten = shard === undefined && itemBytes !== undefined && fill !== "null" &&
        codec !== "gzip" && codec !== "zlib" && !isChecked;
      const isRead = shard === undefined || !isChecked;
      return isPlain && codec !== "lz4" && product(shape) > 0 && shape.length > 0 &&
        (as === "writer" ? isWritten : isRead);
    }
    case "python":
      // Its names of codecs have no prefix, and it knows no times and no fill value of nothing.
      return ["plain", "gzip", version === 2 ? "zlib" : "gzip"].includes(codec) &&
        fill !== "null" && !letters.includes("M8");
    case "zarr-python":
      // It takes no fill values of bytes as it writes them.
      return version === 2 && product(shape) > 0 && fill !== "null" && letters !== "|O vlen-bytes";
  }
}

/** Writes the values of a column of a stream as an array, and reads its chunks; or chunks as they are. */
export async function throughArray(
  stream: BatchStream,
  step: CaseStep & { do: "file" },
  { folder, name, columns, engine }: {
    readonly folder: string;
    /** The name of the array. */
    readonly name: string;
    readonly columns: readonly TableColumn[];
    readonly engine: Engine;
  },
): Promise<BatchStream> {
  // Another variant may have used it.
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  Deno.mkdirSync(folder);
  const path = `${folder}/${name}.zarr`;
  const { layout, writer } = step;
  if (layout === undefined) await stream.pipeTo(write(path));
  else {
    const { type } = columns.find(({ name }) => name === layout.column)!;
    const values = (await Array.fromAsync(stream)).flatMap((batch) =>
      valuesOf(batch.getChild(layout.column)!.data[0]!)
    );
    const items = zarrItems(type)!;
    const fill = layout.fill === "value" ? items.fill : items.zero;
    const list = itemsOfLayout(layout, items, fill, values);
    await writeBy(writer as ZarrPeer | undefined, path, layout, { type, items, list });
  }
  return read(path, { engine });
}

async function writeBy(
  writer: ZarrPeer | undefined,
  path: string,
  layout: ZarrLayout,
  { type, items, list }: {
    readonly type: TableColumn["type"];
    readonly items: ZarrItems;
    readonly list: readonly unknown[];
  },
): Promise<void> {
  const metadata = zarrMetadata(layout, type);
  const bytes = bytesOfItems(items, list);
  const { chunk, shard } = layout;
  if (writer === undefined) {
    return bytes instanceof Uint8Array
      ? await writeItems(await createFixed(path, metadata, { chunk, shard }), bytes)
      : await writeTexts(await createVariable(path, metadata, { chunk, shard }), bytes);
  }
  Deno.mkdirSync(path);
  const { format, array, attributes } = metadata;
  Deno.writeTextFileSync(`${path}/${format === 2 ? ".zarray" : "zarr.json"}`, inAscii(array));
  if (attributes !== undefined) Deno.writeTextFileSync(`${path}/.zattrs`, attributes);
  if (writer === "python") {
    const answers = await zarrOfPython([{ path, metadata: array, items: bytes }]);
    if (answers.length !== 1) throw new Error("python3 has not written the array");
  } else if (writer === "zarr-python") {
    const sent = bytes instanceof Uint8Array
      ? bytes.toBase64()
      : bytes.map((item) => item.toBase64());
    await askZarrPython([{ write: path, items: sent }]);
  } else await writeByZarrita(path, items, bytes as Uint8Array<ArrayBuffer>);
}

/** A document as zarr-python 2 writes it, which reads no other. */
function inAscii(json: string): string {
  return json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

async function writeByZarrita(
  path: string,
  { names: [name] }: ZarrItems,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const opened = await zarr.open(zarr.root(new FileSystemStore(path)), { kind: "array" });
  const array = opened as zarr.Array<"int32", FileSystemStore>;
  const { shape } = array;
  const stride = shape.map((_, axis) => product(shape.slice(axis + 1)));
  const { buffer } = bytes;
  const data = name === "bool" ? new zarr.BoolArray(buffer) : numbersOf(name!, buffer);
  await zarr.set(array, null, { data: data as Int32Array, shape, stride });
}

function numbersOf(name: string, buffer: ArrayBuffer): ArrayBufferView {
  const types = {
    ...{ int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array },
    ...{ uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array },
    ...{ float16: Float16Array, float32: Float32Array, float64: Float64Array },
  };
  return new types[name as keyof typeof types](buffer);
}

/** Returns the fault that a judge finds in an array, if any. */
export async function judgeArray(
  judge: ZarrPeer,
  path: string,
  chunks: ModelChunks,
): Promise<string | undefined> {
  const { items } = chunks.array;
  const expected = bytesOfItems(items, itemsOf(chunks));
  const found = await itemsBy(judge, path, items);
  const [ours, theirs] = [expected, found].map((list) =>
    list instanceof Uint8Array ? list.toHex() : list.map((item) => hexOf(item, judge)).join()
  );
  return ours === theirs ? undefined : `items are ${theirs}, not ${ours}`;
}

/** An item as digits; zarrita drops a byte order mark at the start of a text. */
function hexOf(item: Uint8Array, judge: ZarrPeer): string {
  return judge === "zarrita" ? item.toHex().replace(/^efbbbf/, "") : item.toHex();
}

async function itemsBy(
  judge: ZarrPeer,
  path: string,
  { itemBytes }: ZarrItems,
): Promise<Uint8Array | Uint8Array[]> {
  switch (judge) {
    case "python":
      return itemBytes === undefined
        ? (await textsOfPython([{ path }]))[0]!
        : (await zarrOfPython([{ path }]))[0]!;
    case "zarr-python": {
      const [line] = await askZarrPython([{ read: path }]);
      const answer = JSON.parse(line!) as string | string[];
      return typeof answer === "string"
        ? Uint8Array.fromBase64(answer)
        : answer.map((item) => Uint8Array.fromBase64(item));
    }
    case "zarrita":
      return await itemsOfZarrita(path);
  }
}

/** All items in C order. */
async function itemsOfZarrita(path: string): Promise<Uint8Array | Uint8Array[]> {
  const array = await zarr.open(zarr.root(new FileSystemStore(path)), { kind: "array" });
  const { data, shape, stride } = await zarr.get(array) as unknown as {
    readonly data: ArrayBufferView | readonly string[];
    readonly shape: readonly number[];
    readonly stride: readonly number[];
  };
  const numItems = product(shape);
  const order = Array.from({ length: numItems }, (_, at) => {
    let from = 0;
    for (let axis = shape.length - 1, rest = at; axis >= 0; axis--) {
      from += (rest % shape[axis]!) * stride[axis]!;
      rest = Math.floor(rest / shape[axis]!);
    }
    return from;
  });
  if (Array.isArray(data)) return order.map((at) => new TextEncoder().encode(data[at]));
  const { buffer, byteOffset, byteLength } = data as ArrayBufferView;
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset ?? 0, byteLength);
  const itemBytes = bytes.length / numItems;
  const items = new Uint8Array(numItems * itemBytes);
  for (const [to, from] of order.entries()) {
    items.set(bytes.subarray(from * itemBytes, (from + 1) * itemBytes), to * itemBytes);
  }
  return items;
}

/** The attribute that says where a part began. */
export function originAttribute(path: string, version: 2 | 3): unknown {
  const text = Deno.readTextFileSync(`${path}/${version === 2 ? ".zattrs" : "zarr.json"}`);
  const document = JSON.parse(text);
  return (version === 2 ? document : document.attributes).sluice_origin;
}
