import { createHostBackend } from "../../../gpu/host/backend.ts";
import { evaluateAround } from "../kernels/evaluate_around.ts";
import { testKernels } from "../kernels/test_kernels.ts";
import type { BackendCase } from "./backend_case.ts";
import { createEngine } from "../../../mod.ts";
import { type EngineCase, runEngineCase } from "./engine_case.ts";

/** Registers a case on the host, where each program runs with other bytes around its rows, too. */
export const onHost: BackendCase = (title, use) => {
  Deno.test(title, async () => {
    const host = createHostBackend({ threads: 1 });
    const kernels = testKernels();
    const backend = Object.assign(host, {
      async evaluate(...[program, inputs, numRows]: Parameters<typeof host.evaluate>) {
        const columns = await host.download(inputs);
        return { columns: evaluateAround(program, columns, numRows, kernels), numRows };
      },
    });
    try {
      await use({
        backend,
        place: (column) => Promise.resolve(column),
        placeOf: () => "host",
        amount: ({ host }) => host,
      });
    } finally {
      await backend.close();
    }
  });
};

/** Registers a case of engines on the host. */
export const onHostEngine: EngineCase = (title, use) => {
  Deno.test(title, () =>
    runEngineCase(use, {
      create: (options) => createEngine({ device: "cpu", ...options }),
      inUse: () => Promise.resolve(0),
      amount: ({ host }) => host,
    }));
};
