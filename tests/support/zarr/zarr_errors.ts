/** Errors that name a file. */

import { assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../base/errors/file_error.ts";

/** Asserts that a promise is rejected with a FileError of this message. */
export async function assertFileError(promise: Promise<unknown>, message: string): Promise<void> {
  const error = await assertRejects(() => promise, FileError);
  assertEquals(error.message, message);
}
