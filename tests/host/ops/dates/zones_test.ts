import { assertEquals, assertThrows } from "@std/assert";
import { DataType, TimestampSecond } from "apache-arrow";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes, someZone } from "../../../support/random/random_times.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");

function perUnit(type: DataType): bigint {
  return DataType.isTimestamp(type) ? 1_000_000_000n / 1000n ** BigInt(type.unit) : 1n;
}

Deno.test("a timestamp in another zone is the same instant, and its local time is that of Temporal", () =>
  forSeeds(fewOr(20, 200), (random) => {
    const { type, values, nanoseconds } = randomTimes(random, { kinds: ["zoned"] });
    const zone = someZone(random);
    const by = perUnit(type);
    const input = { x: [type, [...values, null]] } as const;
    assertEquals(evaluateTyped(x.toZone(zone), input), [...values, null]);
    const wanted = nanoseconds.map((time) =>
      localTime(time, zone).toZonedDateTime("UTC").epochNanoseconds / by
    );
    assertEquals(evaluateTyped(x.toZone(zone).toLocal(), input), [...wanted, null], zone);
  }));

Deno.test("a local time is the instant of Temporal, or none where the zone skips or repeats it", () =>
  forSeeds(fewOr(30, 300), (random) => {
    const { type, nanoseconds } = randomTimes(random, { kinds: ["zoned"] });
    const by = perUnit(type);
    const zone = someZone(random);
    const plain = new (type.constructor as typeof TimestampSecond)(null);
    const locals = nanoseconds.map((time) => localTime(time, zone));
    const values = locals.map((local) => local.toZonedDateTime("UTC").epochNanoseconds / by);
    const instants = (disambiguation: "earlier" | "later" | "reject") =>
      locals.map((local) => {
        const exact = local.toZonedDateTime("UTC").epochNanoseconds / by * by;
        try {
          return localTime(exact).toZonedDateTime(zone, { disambiguation }).epochNanoseconds / by;
        } catch {
          return null;
        }
      });
    const input = { x: [plain, values] } as const;
    assertEquals(evaluateTyped(x.asZone(zone).orNull(), input), instants("reject"), zone);
    for (const ambiguous of ["earlier", "later"] as const) {
      const result = evaluateTyped(x.asZone(zone, { ambiguous }), input);
      assertEquals(result, instants(ambiguous), `${zone} ${ambiguous}`);
    }
  }));

Deno.test("zones that do not exist, and times with or without one, are refused with what to write", () => {
  const plain = { x: [new TimestampSecond(), [0n]] } as const;
  const zoned = { x: [new TimestampSecond("UTC"), [0n]] } as const;
  const refused = (run: () => unknown, message: string) => assertThrows(run, Error, message);
  refused(() => x.toZone("Europe/Berlni"), "did you mean Europe/Berlin?");
  refused(() => evaluateTyped(x.toZone("UTC"), plain), 'asZone("UTC")');
  refused(() => evaluateTyped(x.toLocal(), plain), 'asZone("UTC")');
  refused(() => evaluateTyped(x.asZone("UTC"), zoned), "toZone()");
  refused(
    () => x.asZone("UTC", { ambiguous: "both" as "later" }),
    'ambiguous is "earlier" or "later", not "both"',
  );
});
