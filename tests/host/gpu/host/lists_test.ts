/** Lists on the host. */

import { listCases } from "../../../support/cases/lists.ts";
import { onHost } from "../../../support/cases/on_host.ts";

listCases(onHost);
