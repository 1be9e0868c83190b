/** Keys of every type through join() on a device. */

import { keyJoinCases } from "../../../support/cases/key_joins.ts";
import { onDeviceEngine } from "../../../support/cases/on_device.ts";

keyJoinCases(onDeviceEngine);
