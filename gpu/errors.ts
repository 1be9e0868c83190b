/**
 * Tagged errors of the compute layer. Each carries a `name` that survives bundling, so that a
 * caller can tell them apart without importing the class.
 *
 * @module
 */

/** The device is gone, ran out of memory, or refused a kernel. The stream has ended. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
}

/** A column of one batch would hold more bytes of text than its offsets can address. */
export class OverflowError extends RangeError {
  override readonly name = "OverflowError";
  /** Row of the batch whose text no longer fits, counted from 0. */
  readonly row: number;
  /** Bytes that the column would hold up to and including that row. */
  readonly dataBytes: number;

  constructor(message: string, row: number, dataBytes: number, options?: ErrorOptions) {
    super(message, options);
    this.row = row;
    this.dataBytes = dataBytes;
  }
}

/** A row function or a kernel uses a construct that the kernel language does not have. */
export class KernelError extends SyntaxError {
  override readonly name = "KernelError";
}

/** A column that must hold UTF-8 holds bytes that are not. */
export class Utf8Error extends TypeError {
  override readonly name = "Utf8Error";
  /** Row of the batch, counted from 0. */
  readonly row: number;

  constructor(message: string, row: number, options?: ErrorOptions) {
    super(message, options);
    this.row = row;
  }
}
