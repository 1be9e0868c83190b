import { assertEquals } from "@std/assert";
import { tableKernels } from "../../../../../../gpu/host/table/kernels/module.ts";
import { findModels } from "../../../../../support/joins/kernels/find_models.ts";
import { recordModels } from "../../../../../support/joins/kernels/record_models.ts";
import { rowModels } from "../../../../../support/joins/kernels/row_models.ts";
import { Scene } from "../../../../../support/joins/kernels/scene.ts";
import { textModels } from "../../../../../support/joins/kernels/text_models.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";

const models = { ...findModels, ...textModels, ...rowModels, ...recordModels };

Deno.test("every kernel of joins has a model", () => {
  assertEquals(Object.keys(models).sort(), tableKernels.map(({ name }) => name).sort());
});

for (const [name, model] of Object.entries(models)) {
  Deno.test(`${name} does what its model says, and changes nothing else`, () =>
    forSeeds(40, (random) => {
      const scene = new Scene(random);
      scene.check(name, model(scene));
    }));
}
