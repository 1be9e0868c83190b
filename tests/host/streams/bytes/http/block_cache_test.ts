import { assert, assertEquals } from "@std/assert";
import { blockBytes, BlockCache } from "../../../../../streams/bytes/http/block_cache.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

Deno.test("BlockCache keeps whole blocks, and the last one of a file", () => {
  const cache = new BlockCache();
  const fileBytes = 3 * blockBytes + 10;
  const bytes = Uint8Array.from({ length: fileBytes }, (_, i) => i % 251);
  cache.keep(5, bytes.slice(5, 2 * blockBytes + 7), fileBytes);
  const kept = (position: number) => cache.from(position)?.length;
  assertEquals([0, 5, blockBytes - 1].map(kept), [undefined, undefined, undefined]);
  assertEquals([blockBytes, blockBytes + 9, 2 * blockBytes - 1].map(kept), [
    blockBytes,
    blockBytes - 9,
    1,
  ]);
  assertEquals([2 * blockBytes, 3 * blockBytes].map(kept), [undefined, undefined]);
  cache.keep(2 * blockBytes, bytes.slice(2 * blockBytes), fileBytes);
  assertEquals(cache.from(3 * blockBytes + 1), bytes.slice(3 * blockBytes + 1));
  assertEquals([fileBytes, fileBytes + 1].map(kept), [undefined, undefined]);
});

Deno.test("BlockCache forgets the blocks that were not used for longest", () =>
  forSeeds(30, (random) => {
    const most = 1 + random.below(5);
    const cache = new BlockCache(most * blockBytes);
    let used: number[] = [];
    const use = (block: number) => used = [...used.filter((other) => other !== block), block];
    for (let step = 0; step < 60; step++) {
      const block = random.below(8);
      if (random.chance(0.5)) {
        cache.keep(block * blockBytes, new Uint8Array(blockBytes).fill(block), 8 * blockBytes);
        used = use(block).slice(-most);
      } else {
        const found = cache.from(block * blockBytes + 3);
        assertEquals(found?.[0], used.includes(block) ? block : undefined);
        if (found !== undefined) use(block);
      }
    }
    assert(used.length <= most);
  }));
