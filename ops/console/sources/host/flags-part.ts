import type { StagedRecord } from '../../../../contracts/unit-store.js';
import { systemRecord } from '../../../../runtime/audit/system-record.js';
import type { Database } from '../../../../runtime/database/database.js';
import { changeFlag } from '../../../../runtime/flags/change-flag.js';
import { describeFlag } from '../../../../runtime/flags/describe-flag.js';
import { listFlags } from '../../../../runtime/flags/read-flags.js';
import type { ServiceParts } from '../../../../runtime/service/service.js';
import type { FlagsPart } from '../../model/flags.js';

/** The flags of this store; hooks of the service on FlagChanged run too. */
export const flagsPart = (
  database: Database,
  host: string,
  { policy, hooks }: Pick<ServiceParts, 'policy' | 'hooks'>,
): FlagsPart => ({
  list: async () => (await listFlags(database)).map((flag) => ({ ...flag, words: describeFlag(flag) })),
  turn: async (name, on, { actor, reason }) => {
    let staged: StagedRecord | undefined;
    const editor = {
      host,
      changedBy: actor,
      recordOf: (message: Parameters<typeof systemRecord>[0]) => (staged = systemRecord(message, {}, policy)),
    };
    const { changed } = await changeFlag(database, editor, name, { kind: on ? 'on' : 'off' }, { reason });
    if (changed && staged !== undefined) hooks.committed([staged]);
    return changed;
  },
});
