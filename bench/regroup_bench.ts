import { regroupContests } from "./regroup.ts";
import { registerContest } from "./support/contest.ts";

for (const contest of await regroupContests()) await registerContest(contest);
