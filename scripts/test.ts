/**
 * `deno task test`: all tests, or those of the files and folders that the arguments name, with an
 * adapter where one can be had. Other arguments go to `deno test`.
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
