import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { Database, Session } from '../database/database.js';
import { recordedIn } from '../store/append-records.js';

/** Who changes access, and how what they did is recorded. */
export interface AccessEditor {
  readonly changedBy: string;
  readonly host: string;
  readonly recordOf: (message: SystemMessage) => StagedRecord;
}

const woken = ['svc', 'svc_access', 'svc_flags', 'svc_subjects'] as const;

/** Changes access and stores the events of the change in one transaction; returns whether there are any. */
export const recordedChange = async (
  owner: Database,
  editor: AccessEditor,
  change: (session: Session) => Promise<readonly SystemMessage[]>,
): Promise<boolean> => (await recordedIn(owner, editor, change, woken)).length > 0;
