/**
 * Whether reads cost round trips to a server.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";

/** The fewest bytes that a server could send in the time of one more read in a row. */
const leastTripBytes = 1 << 20;

/** Whether successive reads each cost a round trip to a server, so that reads should be batched. */
export function isRemote({ tripBytes, numBytes }: FileInput): boolean {
  return numBytes !== undefined && tripBytes >= leastTripBytes;
}
