const isAsked = Deno.env.get("SLUICE_TEST_LARGE") === "1";

/**
 * Registers a test with gigabytes of data. It runs with SLUICE_TEST_LARGE=1 only; otherwise it is
 * reported as ignored, with the reason in its title.
 */
export function largeTest(name: string, fn: () => Promise<void>): void {
  const suffix = isAsked ? "" : " (ignored: SLUICE_TEST_LARGE is not 1)";
  Deno.test({ name: `${name}${suffix}`, ignore: !isAsked, fn });
}
