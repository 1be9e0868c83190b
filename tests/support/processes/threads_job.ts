/**
 * A program that computes until a worker is there, and then ends without a word to it: for the test
 * that it does end.
 */

import { Utf8 } from "apache-arrow";
import { HostThreads } from "../../../gpu/host/threads/host_threads.ts";
import { stringColumn } from "../values/host_columns.ts";
import { compileProgram } from "../kernels/programs.ts";
import { evaluateWith } from "./threads.ts";
import { until } from "../running/until.ts";

const { program } = compileProgram(["name.strip()"], { name: new Utf8() });
const names = stringColumn(Array.from({ length: 65_536 }, (_, row) => ` name ${row}  `));
const threads = new HostThreads({ threads: 2 });
const work = () => evaluateWith(threads, program, [names], names.length);
await until(() => threads.numWorkers === 1, "a worker is there", work);
console.log(JSON.stringify({ numWorkers: threads.numWorkers }));
