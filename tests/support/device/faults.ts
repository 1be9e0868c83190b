/** Faults that are planted into adapters. */

/** Faults of translation, by name: what a driver makes of the code of kernels. */
export const FAULTS = {
  /** What GLSL leaves open, and Mesa's GL does. */
  "remainders are unsigned": (code) =>
    code.replace("return a - b * (a / b);", "return i32(u32(a) % u32(b));"),
  "quotients are rounded down": (code) =>
    code.replace("return a / b;", "return a / b - select(0, 1, (a < 0) != (b < 0) && a % b != 0);"),
  "shifts lose a bit of their count": (code) => code.replaceAll("& 31u", "& 15u"),
  "memory is not shared in time": (code) =>
    code.replace("scan_groups[local] = sum;", "scan_groups[local] = 0u;"),
  "a word has one writer": (code) => code.replaceAll("atomicOr(&text[", "atomicStore(&text["),
  "memory of a workgroup has one writer": (code) =>
    code.replaceAll("atomicOr(&odd_rows[", "atomicStore(&odd_rows["),
  "a slot is claimed twice": (code) =>
    code.replaceAll(", row + 1u).exchanged)", ", 0u).exchanged)"),
  "kernels do not compile": () => "no code",
} as const satisfies Record<string, (code: string) => string>;

/** Faults that no test before the work finds. */
const HIDDEN_FAULTS = {
  "z is a capital A": (code) =>
    code.replace(
      "table[lane] = (word >> ((lane & 3u) * 8u)) & 255u;",
      "table[lane] = select((word >> ((lane & 3u) * 8u)) & 255u, 65u, lane == 122u);",
    ),
} as const satisfies Record<string, (code: string) => string>;

export const ALL_FAULTS = { ...FAULTS, ...HIDDEN_FAULTS };

/** A fault of translation. */
export type Fault = keyof typeof ALL_FAULTS;
