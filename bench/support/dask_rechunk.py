"""Rechunks a Zarr array with Dask on threads, and prints the seconds."""

import sys
import time

import dask
import dask.array
import zarr

source, target, chunks, threads = sys.argv[1:]
dask.config.set(scheduler="threads", num_workers=int(threads))
start = time.perf_counter()
array = dask.array.from_zarr(source)
compressor = zarr.open(source, mode="r").compressor
moved = array.rechunk(tuple(int(length) for length in chunks.split(",")))
moved.to_zarr(target, compressor=compressor)
print(time.perf_counter() - start)
