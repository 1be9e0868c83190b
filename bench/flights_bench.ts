import { flightsContest } from "./flights.ts";
import { registerContest } from "./support/contest.ts";

await registerContest(await flightsContest());
