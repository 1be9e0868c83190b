/**
 * Tells whether reads cost round trips to a server.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";

/** The fewest bytes that a server could send in the time of one more read in a row. */
const leastTripBytes = 1 << 20;

/** Whether each read in a row costs a round trip to a server, so that reads should come together. */
export function isRemote({ tripBytes, numBytes }: FileInput): boolean {
  return numBytes !== undefined && tripBytes >= leastTripBytes;
}
