/**
 * Zarr arrays as a format of folders, with a row for each chunk.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import { isUrl } from "../../../base/url.ts";
import { isStdin } from "../../bytes/standard_streams.ts";
import { lateJob, sinkOf } from "../../sink/sink_job.ts";
import type { FolderFormat } from "../format.ts";
import { ZarrSource } from "./zarr_source.ts";

/** The format. Its source throws a FileError for a URL, and for a group, whose arrays it names. */
export const zarrFormat: FolderFormat = {
  name: "zarr",
  suffixes: [".zarr"],
  traits: [],
  source(path) {
    if (isUrl(path)) {
      throw new FileError(path, "is a URL, but Zarr arrays are read from folders");
    }
    if (isStdin(path)) throw new FileError(path, "is a stream, but a Zarr array is a folder");
    return new ZarrSource(path, async () => (await import("./open_array.ts")).openArray(path));
  },
  sink: (path) =>
    sinkOf(path, lateJob(async () => (await import("./new_array.ts")).newArrayJob(path))),
};
