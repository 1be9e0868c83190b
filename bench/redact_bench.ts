import { redactContest } from "./redact.ts";
import { registerContest } from "./support/contest.ts";

for (const numRows of [600_000, 5_000_000]) await registerContest(await redactContest(numRows));
