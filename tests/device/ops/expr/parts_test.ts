/** Fields of structs and items of lists, as columns of expressions on the device. */

import { createEngine } from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { checkRandomParts } from "../../../support/expressions/random_parts.ts";
import { closing } from "../../../support/running/closing.ts";

deviceTest("a part of a nested column is the same on the device", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  await checkRandomParts(engine, 30);
});
