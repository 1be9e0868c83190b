/** A join in which 12,000 rows become 72,000,000, through the command line. */

import { assertEquals, assertMatch } from "@std/assert";
import { checkoutPath, inFolder, sluice } from "../processes/sluice.ts";

const units: Readonly<Record<string, number>> = { MiB: 2 ** 20, GiB: 2 ** 30 };

/**
 * Runs the example that makes `a.arrow`, joins the file with itself, and asserts that `steps` count
 * 72,000,000 rows within 2 GiB of memory.
 */
export async function assertManyMatches(device: string, ...steps: string[]): Promise<void> {
  await inFolder({}, async (cwd) => {
    const example = checkoutPath("examples/many_matches.ts");
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", example],
      cwd,
      env: { SLUICE_DEVICE: "cpu" },
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const pipeline = ["read", "a.arrow", "then", "join", "a.arrow", "--on", "key", ...steps];
    const args = ["--stats", "--device", device, ...pipeline, "then", "count"];
    const { status, out, err } = await sluice(args, { cwd });
    assertEquals([status, out], [0, "72000000\n"]);
    const [, size, unit] = /^peak memory +([\d.]+) (\wiB)$/m.exec(err) ?? [];
    assertMatch(`${size} ${unit}`, /^[\d.]+ [MG]iB$/);
    const peak = Number(size) * units[unit!]!;
    assertEquals(peak < 2 * 2 ** 30, true, `${peak} bytes`);
    await Deno.remove(`${cwd}/a.arrow`);
  });
}
