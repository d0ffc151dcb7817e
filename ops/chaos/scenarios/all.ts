import { brokerLost } from './broker-data-lost.js';
import { clockBack } from './clock-back.js';
import { clockForward } from './clock-forward.js';
import { blockingCommand } from './blocking-command.js';
import { copiedStore } from './copied-store.js';
import { readOnly } from './read-only.js';
import type { Scenario } from './scenario.js';
import { silentDatabase } from './silent-database.js';
import { silentLeaseHolder } from './silent-lease-holder.js';

/** The scenarios, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'silent-holder': silentLeaseHolder,
  'silent-database': silentDatabase,
  'clock-back': clockBack,
  'clock-forward': clockForward,
  'broker-lost': brokerLost,
  'copied-store': copiedStore,
  'read-only': readOnly,
  poison: blockingCommand,
};
