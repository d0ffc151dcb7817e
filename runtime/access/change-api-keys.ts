import { OperatorActed } from '../../contracts/events/operator.js';
import type { Database } from '../database/database.js';
import { nowText } from '../lang/now-text.js';
import { type NewApiKey, newApiKey, prefixOf } from './api-key.js';
import { type ApiKeyGrant, insertApiKey, markRevoked } from './api-key-store.js';
import { type AccessEditor, recordedChange } from './recorded-change.js';

/** Creates a key; it is returned once and cannot be read again. */
export async function createApiKey(
  owner: Database,
  editor: AccessEditor,
  grant: ApiKeyGrant,
  { reason, next = newApiKey }: CreateOptions = {},
): Promise<NewApiKey> {
  for (;;) {
    const made = next();
    const isNew = await recordedChange(owner, editor, async (session) =>
      (await insertApiKey(session, made, grant))
        ? [acted('keys create', made.id, editor, { reason, ...recordedGrant(grant) })]
        : [],
    );
    if (isNew) return made;
  }
}

interface CreateOptions {
  readonly reason?: string | undefined;
  readonly next?: () => NewApiKey;
}

/** Returns whether there is such a key that was not revoked before. */
export const revokeApiKey = (
  owner: Database,
  editor: AccessEditor,
  id: string,
  reason?: string,
): Promise<boolean> =>
  recordedChange(owner, editor, async (session) =>
    (await markRevoked(session, id)) ? [acted('keys revoke', id, editor, { reason })] : [],
  );

type Recorded = Pick<OperatorActed, 'permissions' | 'details'>;

/** What a key allows and whose it is; never the key itself. */
const recordedGrant = ({ name, permissions, tenantId, userId }: ApiKeyGrant): Recorded => ({
  permissions: [...permissions],
  details: {
    name,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(userId === undefined ? {} : { userId }),
  },
});

const acted = (
  action: string,
  id: string,
  { changedBy: actor }: AccessEditor,
  recorded: Recorded & { readonly reason: string | undefined },
) => new OperatorActed({ action, target: prefixOf(id), actor, timestamp: nowText(), ...recorded });
