/**
 * Tells the errors of Sluice apart. `public_errors.ts` has the function for programs.
 *
 * @module
 */

import type { CommandError, VerbError } from "./command_error.ts";
import type {
  BrokenPartError,
  CorruptArrowError,
  DamagedPageError,
  DeepJsonError,
  PageFactError,
  RecordError,
  TooLargeError,
  TrapError,
  UnsupportedArrowError,
  UnsupportedZarrError,
} from "./data_error.ts";
import type { DeviceError, DifferenceError, WorkerLostError } from "./device_error.ts";
import type { DepthError, ExprError, KernelError } from "./expr_error.ts";
import type { CellError, EndedError, FileError } from "./file_error.ts";
import type { InternalError, NoValueError } from "./internal_error.ts";
import type { NoBoxError, OptionError, SameNameError } from "./option_error.ts";
import type { RequestError } from "./request_error.ts";
import type { MissingRowError, RowError, StepError, UnsortedError } from "./step_error.ts";
import type {
  ArithmeticError,
  ColumnFullError,
  ConversionError,
  GroupOverflowError,
  OverflowError,
  RefusedError,
  Utf8Error,
  ValueError,
} from "./value_error.ts";

/** Every error class of the project. The name of each is its tag. */
type AnyError =
  | ArithmeticError
  | BrokenPartError
  | CellError
  | ColumnFullError
  | CommandError
  | ConversionError
  | CorruptArrowError
  | DamagedPageError
  | DeepJsonError
  | DepthError
  | DeviceError
  | DifferenceError
  | EndedError
  | ExprError
  | FileError
  | GroupOverflowError
  | InternalError
  | KernelError
  | MissingRowError
  | NoBoxError
  | NoValueError
  | OptionError
  | OverflowError
  | PageFactError
  | RecordError
  | RefusedError
  | RequestError
  | RowError
  | SameNameError
  | StepError
  | TooLargeError
  | TrapError
  | UnsortedError
  | UnsupportedArrowError
  | UnsupportedZarrError
  | Utf8Error
  | ValueError
  | VerbError
  | WorkerLostError;

/**
 * Whether an error is of one of the given classes. Compares tags, so that it also recognizes errors of
 * another copy of the library, such as one that a plugin imports.
 */
export function isSluiceError<Tag extends AnyError["name"]>(
  error: unknown,
  ...tags: Tag[]
): error is Extract<AnyError, { readonly name: Tag }> {
  return error instanceof Error && (tags as string[]).includes(error.name);
}
