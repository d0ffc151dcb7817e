import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database, Session } from '../database/database.js';
import { inTransaction, lockRetryDefaults } from '../database/lock-retry.js';
import { type Channel, notify } from '../database/notify.js';
import { encodeUnit } from './encode-unit.js';
import { appendCall, flushParameters } from './flush-call.js';

/** Appends system messages in the transaction of a session: they are stored when it commits, or not at all. */
export async function appendRecords(
  session: Pick<Session, 'prepared'>,
  host: string,
  records: readonly StagedRecord[],
): Promise<void> {
  const unit = encodeUnit({ events: [], records, expected: new Map() }, Date.now());
  const append = session.prepared({ name: 'svc_append', text: appendCall });
  await append(flushParameters(newUuid(), 1, host, [unit]));
}

/** A process that stalls must not hold the lock of the log: the server ends its transaction. */
const endOfStalled = `SET LOCAL idle_in_transaction_session_timeout = '10s'`;

/** A transaction that appends records. When it is committed, it wakes the readers of the log, or these listeners. */
export async function inRecordedTransaction<T>(
  session: Session,
  body: () => Promise<T>,
  woken: readonly Channel[] = ['svc'],
): Promise<T> {
  const result = await inTransaction(session, lockRetryDefaults, async () => {
    await session.rows({ text: endOfStalled });
    return body();
  });
  await notify(session, ...woken);
  return result;
}

/** How changes are recorded. */
export interface ChangeRecorder {
  readonly host: string;
  /** Undefined when system events are not registered: then the change is made, and not recorded. */
  readonly recordOf?: ((message: SystemMessage) => StagedRecord) | undefined;
  /** Called when they are stored. */
  readonly committed?: ((records: readonly StagedRecord[]) => void) | undefined;
}

/** Makes a change and stores its events in one transaction. */
export async function recordedIn<M extends SystemMessage>(
  database: Pick<Database, 'session'>,
  { host, recordOf, committed }: ChangeRecorder,
  change: (session: Session) => Promise<readonly M[]>,
  woken?: readonly Channel[],
): Promise<readonly M[]> {
  const session = await database.session();
  try {
    let records: readonly StagedRecord[] = [];
    const messages = await inRecordedTransaction(
      session,
      async () => {
        const made = await change(session);
        records = recordOf === undefined ? [] : made.map(recordOf);
        if (records.length > 0) await appendRecords(session, host, records);
        return made;
      },
      woken,
    );
    committed?.(records);
    return messages;
  } finally {
    session.release();
  }
}
