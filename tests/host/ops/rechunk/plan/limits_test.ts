import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseBytes } from "../../../../../cli/words/quantities.ts";
import { limitsOf } from "../../../../../ops/rechunk/plan/limits.ts";
import { enoughText, mostText, sizeText } from "../../../../../base/quantities.ts";
import { planRechunk } from "../../../../../ops/rechunk/plan/plan_rechunk.ts";
import type { PlanRechunkOptions } from "../../../../../ops/rechunk/plan/rechunk_plan.ts";

const era5: PlanRechunkOptions = {
  shape: [350640, 721, 1440],
  itemsize: 4,
  source: [31, 721, 1440],
  target: [350640, 10, 10],
  minMem: 10e6,
  maxMem: 500e6,
};

const square = { shape: [100, 100], itemsize: 1, source: [100, 1], target: [1, 100], maxMem: 100 };

Deno.test("planRechunk() says what is wrong with its options", () => {
  const cases: [Record<string, unknown>, typeof TypeError | typeof RangeError, string][] = [
    [{ shape: 4 }, TypeError, "shape is not a list of lengths"],
    [{ shape: [4, "5", 6] }, TypeError, "shape[1] is not a number"],
    [
      { shape: [350640, -721, 1440] },
      RangeError,
      "shape[1] is -721: it is a whole number from 0 on",
    ],
    [
      { shape: [350640, 721.5, 1440] },
      RangeError,
      "shape[1] is 721.5: it is a whole number from 0 on",
    ],
    [{ source: [31, 0, 1440] }, RangeError, "source[1] is 0: it is a whole number from 1 on"],
    [{ target: [1, 10, NaN] }, RangeError, "target[2] is NaN: it is a whole number from 1 on"],
    [
      { source: [31, 721] },
      RangeError,
      "source has 2 axes, but shape has 3 axes: give one length for each",
    ],
    [
      { target: [1] },
      RangeError,
      "target has 1 axis, but shape has 3 axes: give one length for each",
    ],
    [{ itemsize: 0 }, RangeError, "itemsize is 0: it is a whole number from 1 on"],
    [{ itemsize: "4" }, TypeError, "itemsize is not a number"],
    [{ maxMem: undefined }, TypeError, "maxMem is not a number of bytes"],
    [{ minMem: -1 }, RangeError, "minMem is -1: it is a number of bytes from 0 on"],
    [{ maxMem: NaN }, RangeError, "maxMem is NaN: it is a number of bytes from 0 on"],
    [{ stages: 1.5 }, RangeError, "stages is 1.5: it is a whole number from 0 on"],
    [{ stages: 17 }, RangeError, "stages is 17: a plan has at most 16"],
    [
      { shape: [2 ** 50, 721, 1440] },
      RangeError,
      "An array of shape 1125899906842624,721,1440 has more bytes than can be counted",
    ],
  ];
  for (const [wrong, type, message] of cases) {
    const options = { ...era5, ...wrong } as PlanRechunkOptions;
    assertEquals(assertThrows(() => planRechunk(options), type).message, message);
  }
});

Deno.test("planRechunk() names the limit that would have to give, and a number that does", () => {
  const cases: [Partial<PlanRechunkOptions>, string, Partial<PlanRechunkOptions>][] = [
    [
      { maxMem: 100, minMem: 0 },
      "maxMem is 100 B, but one chunk of the source has 128.7 MB: raise maxMem to at least 128.8 MB",
      { maxMem: 140.3e6, stages: 1 },
    ],
    [
      { maxMem: 130e6 },
      "maxMem is 130.0 MB, but one chunk of the target has 140.3 MB: raise maxMem to at least 140.3 MB",
      { maxMem: 140.3e6 },
    ],
    [
      { minMem: 600e6 },
      "minMem of 600.0 MB exceeds maxMem of 500.0 MB: lower one or raise the other",
      { minMem: 10e6 },
    ],
    [
      { stages: 0 },
      "maxMem is 500.0 MB, but boxes without stages have 1.5 TB: " +
      "raise maxMem to at least 1.5 TB, or allow stages",
      { stages: 0, maxMem: 1.5e12 },
    ],
  ];
  for (const [limits, message, enough] of cases) {
    const error = assertThrows(() => planRechunk({ ...era5, ...limits }), RangeError);
    assertEquals(error.message, message);
    planRechunk({ ...era5, ...limits, ...enough });
  }
});

Deno.test("planRechunk() says how far minMem would have to go down", () => {
  const cases: [PlanRechunkOptions, string][] = [
    [{ ...era5, stages: 1 }, " with 1 stage keeps within maxMem of 500.0 MB"],
    [{ ...era5, minMem: 300e6 }, " keeps within maxMem of 500.0 MB"],
    [{ ...square, minMem: 90 }, " keeps within maxMem of 100 B"],
    [{ ...square, stages: 2, minMem: 40 }, " with 2 stages keeps within maxMem of 100 B"],
    [
      {
        shape: [1000],
        itemsize: 1,
        source: [60],
        target: [60],
        minMem: 90,
        maxMem: 100,
        stages: 0,
      },
      " with 0 stages keeps within maxMem of 100 B",
    ],
  ];
  for (const [options, limits] of cases) {
    const { message } = assertThrows(() => planRechunk(options), RangeError);
    const others = options.stages === undefined
      ? "raise maxMem"
      : "raise maxMem or allow more stages";
    const [, before, bytes, after] =
      /^(.*): lower minMem to ([0-9.]+ [kM]?B), or (.*)$/.exec(message) ??
        [];
    assertEquals(before, `minMem is ${sizeText(options.minMem!)}, which no plan${limits}`);
    assertEquals(after, others);
    const plan = planRechunk({ ...options, minMem: parseBytes(bytes!, "minMem") });
    assertEquals(plan.stages.length, options.stages ?? plan.stages.length);
  }
});

Deno.test("limitsOf() cuts chunks at the end of the array, and minMem at its size", () => {
  const limits = limitsOf({
    shape: [3, 0],
    itemsize: 4,
    source: [8, 8],
    target: [2, 2],
    minMem: 100,
    maxMem: 1001,
  });
  assertEquals([limits.source, limits.target], [[3, 1], [2, 1]]);
  assertEquals([limits.minItems, limits.maxItems], [0, 250]);
});

Deno.test("sizeText() has one figure behind the point from 1 kB on", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [128_741_760, "128.7 MB"],
    [999_999, "1.0 MB"],
    [1.456e12, "1.5 TB"],
    [2 ** 53, "9.0 PB"],
  ];
  for (const [bytes, text] of cases) assertEquals(sizeText(bytes), text);
});

Deno.test("sizes for people are enough where they are rounded up, and not too much rounded down", () => {
  const cases: [bytes: number, size: string, enough: string, most: string][] = [
    [0, "0 B", "0 B", "0 B"],
    [999, "999 B", "999 B", "999 B"],
    [1000, "1.0 kB", "1.0 kB", "1.0 kB"],
    [20_538_184, "20.5 MB", "20.6 MB", "20.5 MB"],
    [999_949, "999.9 kB", "1.0 MB", "999.9 kB"],
    [999_950, "1.0 MB", "1.0 MB", "999.9 kB"],
    [1_999_999_999_999, "2.0 TB", "2.0 TB", "1.9 TB"],
    [2_345e15, "2345.0 PB", "2345.0 PB", "2345.0 PB"],
  ];
  for (const [bytes, ...texts] of cases) {
    assertEquals([sizeText(bytes), enoughText(bytes), mostText(bytes)], texts);
    // The command reads neither.
    if (bytes === 0 || bytes >= 1e15) continue;
    assert(parseBytes(enoughText(bytes), "") >= bytes);
    assert(parseBytes(mostText(bytes), "") <= bytes);
  }
});
