import { stringContests } from "./strings.ts";
import { registerContest } from "./support/contest.ts";

for (const contest of await stringContests()) await registerContest(contest);
