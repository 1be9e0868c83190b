/** Metadata of a small array, in both versions: what tests change. */

/** An array of version 3. */
export const document = {
  zarr_format: 3,
  node_type: "array",
  shape: [4, 600],
  data_type: "uint16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 600] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }] as unknown[],
};

/** The same in version 2. */
export const documentOf2 = {
  zarr_format: 2,
  shape: [4, 600],
  chunks: [2, 600],
  dtype: "<u2",
  compressor: null as unknown,
  fill_value: 0,
  order: "C",
  filters: null as unknown,
};
