/**
 * What the thread that uses a device and the one that has it say to each other: the calls of WebGPU as
 * plain data. The one that uses it numbers what it makes, so that it waits for nothing but results.
 *
 * @module
 */

import type { AdapterDescription } from "../device/adapter.ts";
import type { LIMITS } from "../device/open_gpu.ts";

/** The number of a thing that the other thread has; it is never given twice. */
export type Remote = number;

/** The number of a question, which its answer has too. */
type Question = number;

/** A part of a buffer, as kernels see it. */
interface Binding {
  readonly binding: number;
  readonly buffer: Remote;
  readonly offset: number;
  readonly size: number;
}

/** One call of a pass. */
export type PassCall =
  | { readonly call: "setPipeline"; readonly pipeline: Remote }
  | {
    readonly call: "setBindings";
    readonly label: string;
    readonly layout: Remote;
    readonly bindings: readonly Binding[];
  }
  | { readonly call: "dispatch"; readonly x: number; readonly y: number };

/** Where a pass writes when it began and when it ended. */
export interface PassTimestamps {
  readonly querySet: Remote;
  readonly beginningOfPassWriteIndex?: number;
  readonly endOfPassWriteIndex?: number;
}

/** One call of an encoder. */
export type EncoderCall =
  | {
    readonly call: "pass";
    readonly label: string;
    readonly timestamps?: PassTimestamps;
    readonly calls: readonly PassCall[];
  }
  | {
    readonly call: "copy";
    readonly source: Remote;
    readonly sourceOffset: number;
    readonly target: Remote;
    readonly targetOffset: number;
    readonly size: number;
  }
  | {
    readonly call: "clear";
    readonly buffer: Remote;
    readonly offset: number;
    readonly size: number;
  }
  | {
    readonly call: "resolve";
    readonly querySet: Remote;
    readonly first: number;
    readonly count: number;
    readonly target: Remote;
    readonly offset: number;
  };

/** Recorded work. */
export interface Recording {
  readonly label: string;
  readonly calls: readonly EncoderCall[];
}

/** Something that is made, under a number. */
export type Make =
  | { readonly kind: "buffer"; readonly descriptor: GPUBufferDescriptor }
  | { readonly kind: "querySet"; readonly descriptor: GPUQuerySetDescriptor }
  | { readonly kind: "module"; readonly descriptor: GPUShaderModuleDescriptor }
  | { readonly kind: "layout"; readonly descriptor: GPUBindGroupLayoutDescriptor }
  | {
    readonly kind: "pipelineLayout";
    readonly label: string;
    readonly layouts: readonly Remote[];
  };

/** Something that is asked for. */
export type Ask =
  | { readonly kind: "error" }
  | { readonly kind: "workDone" }
  | {
    readonly kind: "pipeline";
    readonly made: Remote;
    readonly label: string;
    readonly layout: Remote;
    readonly module: Remote;
    readonly entry: string;
  }
  | {
    readonly kind: "bytes";
    readonly buffer: Remote;
    readonly offset: number;
    readonly size: number;
  };

/** The answers to what is asked. */
export interface Answers {
  /** Of the error scope that ends. */
  error: { readonly message: string } | null;
  /** When all that was submitted is done. */
  workDone: undefined;
  /** Why there is no pipeline; null where there is one. */
  pipeline: string | null;
  /** Bytes of a buffer that can be mapped, when all that was submitted is done. */
  bytes: ArrayBuffer;
}

/** One call of a device. */
export type DeviceCall =
  | { readonly call: "make"; readonly made: Remote; readonly make: Make }
  | { readonly call: "ask"; readonly question: Question; readonly ask: Ask }
  | { readonly call: "pushErrorScope"; readonly filter: GPUErrorFilter }
  | {
    readonly call: "write";
    readonly buffer: Remote;
    readonly offset: number;
    readonly bytes: ArrayBuffer;
  }
  | { readonly call: "submit"; readonly works: readonly Recording[] }
  | { readonly call: "destroy"; readonly thing: Remote };

/** To the thread that has the device. */
export type ToDeviceThread =
  | {
    readonly kind: "open";
    readonly software: boolean;
    /** A word that is not 0 when the thread has closed its device. */
    readonly closed: SharedArrayBuffer;
  }
  /** Calls, in their order. */
  | { readonly kind: "calls"; readonly calls: readonly DeviceCall[] }
  /** The last message: the thread gives the device back, and ends. */
  | { readonly kind: "close" };

/** A device that was opened. */
export interface OpenedAnswer {
  readonly kind: "opened";
  readonly adapter: AdapterDescription;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<typeof LIMITS[number], number>>;
}

/** From the thread that has a device, after "opened". */
export type FromDevice =
  | { readonly kind: "answer"; readonly question: Question; readonly value: Answers[Ask["kind"]] }
  /** There will be no answer. */
  | { readonly kind: "failure"; readonly question: Question; readonly message: string }
  /** An error that no scope has caught. */
  | { readonly kind: "error"; readonly message: string };

/** From the thread that is to have a device. */
export type FromDeviceThread =
  | FromDevice
  | OpenedAnswer
  /** There is no adapter, or none that is wanted. */
  | { readonly kind: "none" }
  /** Why the adapter cannot be opened; why the device is gone, or the thread unable to have one. */
  | { readonly kind: "unopened" | "lost"; readonly message: string };
