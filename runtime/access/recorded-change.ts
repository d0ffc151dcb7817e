import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { Database, Session } from '../database/database.js';
import { inTransaction, lockRetryDefaults } from '../database/lock-retry.js';
import { appendRecords } from '../store/append-records.js';

/** Who changes access, and how what they did is recorded. */
export interface AccessEditor {
  readonly changedBy: string;
  readonly host: string;
  readonly recordOf: (message: SystemMessage) => StagedRecord;
}

/** Changes access and stores the events of the change in one transaction; returns whether there are any. */
export async function recordedChange(
  owner: Database,
  { host, recordOf }: AccessEditor,
  change: (session: Session) => Promise<readonly SystemMessage[]>,
): Promise<boolean> {
  const session = await owner.session();
  try {
    return await inTransaction(session, lockRetryDefaults, async () => {
      const messages = await change(session);
      if (messages.length > 0) await appendRecords(session, host, messages.map(recordOf));
      return messages.length > 0;
    });
  } finally {
    session.release();
  }
}
