/**
 * `deno task test`: runs all tests, or those of the files and folders in the arguments, with an adapter if one
 * can be found or installed. Other arguments go to `deno test`.
 *
 * @module
 */

import { runTests } from "./run_tests.ts";

const isPath = (arg: string) => !arg.startsWith("-") && /\/|\.ts$/.test(arg);
const paths = Deno.args.filter(isPath);
const { failed } = await runTests({
  paths: paths.length > 0 ? paths : ["tests/"],
  args: Deno.args.filter((arg) => !isPath(arg)),
  isQuick: true,
});
Deno.exit(failed === 0 ? 0 : 1);
