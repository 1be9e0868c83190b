/**
 * The packages that only tests and benches use: independent readers and the benchmark peers, other
 * versions of apache-arrow, the names of the world's cities, the compiler for the consumer check, and
 * Dawn with Chrome's compiler of WGSL. Never imported by what it names:
 * `deno task lock` reads this file to write deno.dev.lock, so that deno.lock, and with it the
 * demo, knows none of them.
 */

// deno-lint-ignore-file no-import-prefix
import "npm:@duckdb/node-api@1.5.5-r.5";
import "npm:@types/node@25.9.9";
import "npm:@uwdata/flechette@2.6.0";
import "npm:@webgpu/types@0.1.74";
import "npm:apache-arrow@17.0.0";
import "npm:apache-arrow@21.1.0";
import "npm:country-state-city@3.2.1";
import "npm:hyparquet-writer@0.16.9";
import "npm:nodejs-polars@0.25.2";
import "npm:typescript@5.9.3";
import "npm:wabt@1.0.39";
import "npm:webgpu@0.6.2";
