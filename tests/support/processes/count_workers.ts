/** A preload for commands: prints on stderr, at the exit, how many workers decoded Parquet. */

let numStarted = 0;

const Real = globalThis.Worker;
globalThis.Worker = class extends Real {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    // In a bundle they lie in another folder.
    if (/\/(worker|encode)_main\.ts$/.test(String(url))) numStarted++;
  }
};

const { exit } = Deno;
Deno.exit = (status) => {
  Deno.stderr.writeSync(new TextEncoder().encode(`decoding workers: ${numStarted}\n`));
  return exit(status);
};
