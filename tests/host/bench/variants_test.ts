import { assertEquals, assertNotEquals } from "@std/assert";
import { KERNEL_VARIANTS, redactKernel } from "../../../bench/gpu/variants.ts";
import { emitWgsl } from "../../../gpu/kernel/emit/wgsl/emit.ts";

Deno.test("each variant of a kernel but the printed ones changes its code", () => {
  const { kernel } = redactKernel();
  for (const [name, { pass, change, countsSteps = false }] of Object.entries(KERNEL_VARIANTS)) {
    const printed = emitWgsl(kernel, pass, { countsSteps: false }).code;
    const code = change(emitWgsl(kernel, pass, { countsSteps }).code);
    if (name.endsWith("as printed")) assertEquals(code, printed);
    else assertNotEquals(code, printed, name);
  }
});
