import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Session } from '../database/database.js';
import { encodeUnit } from './encode-unit.js';
import { appendCall, flushParameters } from './flush-call.js';

/** Appends system messages in the transaction of a session: they are stored when it commits, or not at all. */
export async function appendRecords(
  session: Pick<Session, 'prepared'>,
  host: string,
  records: readonly StagedRecord[],
): Promise<void> {
  const unit = encodeUnit({ events: [], records, expected: new Map() }, Date.now());
  const append = session.prepared({ name: 'svc_append_v3', text: appendCall });
  await append(flushParameters(newUuid(), 1, host, [unit]));
}
