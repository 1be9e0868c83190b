/**
 * Defines the operations that read and write IPv4 addresses as integers.
 *
 * @module
 */

import { STRICT, type StrictOption } from "./conversion.ts";
import { defineStringOp, overload, type StringOp } from "../define/define_string_op.ts";

/** Reads an IPv4 address. A part with a leading zero is null too, since some read it as octal. */
export const ipv4ToInteger: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "ipv4ToInteger",
  group: "convert",
  summary: "The number of an IPv4 address; null for other text",
  differs: ["libcudf: takes numbers above 255 and wraps around"],
  examples: [
    { input: "192.168.0.1", result: 3232235521n },
    { input: "192.168.1", result: null },
    { input: "1.2.3.256", result: null },
  ],
  ...STRICT,
  defaults: { strict: false },
  kind: "measure",
  returns: "words",
  row(text) {
    let address = 0;
    let part = 0;
    let digits = 0;
    let dots = 0;
    for (let at = 0; at < text.size; at++) {
      const byte = text.byteAt(at);
      if (byte === 0x2e) {
        if (digits === 0 || dots === 3) return null;
        address = (address << 8) | part;
        part = 0;
        digits = 0;
        dots++;
      } else {
        const digit = byte - 0x30;
        if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return null;
        part = part * 10 + digit;
        digits++;
        if (part > 255) return null;
      }
    }
    if (digits === 0 || dots !== 3) return null;
    return [(address << 8) | part, 0];
  },
});

/** Writes the address that `ipv4ToInteger` reads. */
export const integerToIpv4: StringOp<[]> = defineStringOp({
  name: "integerToIpv4",
  group: "convert",
  summary: "The IPv4 address of a number; null outside of 0 to 4294967295",
  examples: [{ input: 3232235521n, result: "192.168.0.1" }, { input: -1n, result: null }],
  args: {},
  optional: [],
  choose: (_args, on) => on === "int" || on === "uint64" ? "int" : undefined,
  overloads: {
    int: overload({
      kind: "emit",
      subject: "words",
      row(out, low, high) {
        if (high !== 0) return null;
        for (let shift = 24; shift >= 0; shift -= 8) {
          const part = (low >>> shift) & 255;
          if (part >= 100) out.put(0x30 + part / 100);
          if (part >= 10) out.put(0x30 + (part / 10) % 10);
          out.put(0x30 + part % 10);
          if (shift > 0) out.put(0x2e);
        }
      },
    }),
  },
});
