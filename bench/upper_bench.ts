import { registerContest } from "./support/contest.ts";
import { upperContest } from "./upper.ts";

await registerContest(await upperContest());
