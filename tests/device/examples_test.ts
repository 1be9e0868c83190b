import { createEngine, describeOperations } from "../../mod.ts";
import { deviceTest } from "../support/adapter.ts";
import { checkOverColumns } from "../support/operation_examples.ts";

deviceTest("the examples of all operations hold on the device", async () => {
  const engine = createEngine({ device: "gpu" });
  try {
    for (const { examples } of describeOperations()) {
      for (const example of examples) await checkOverColumns(example, engine);
    }
  } finally {
    await engine.close();
  }
});
