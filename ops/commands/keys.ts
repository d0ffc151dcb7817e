import { Problem } from '../../contracts/problems.js';
import { prefixOf } from '../../runtime/access/api-key.js';
import { type ListedApiKey, listApiKeys } from '../../runtime/access/api-key-store.js';
import { createApiKey, revokeApiKey } from '../../runtime/access/change-api-keys.js';
import type { Database } from '../../runtime/database/database.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { withConnectionOf } from '../cli/database.js';
import { cliEditor } from '../cli/access-editor.js';
import { type Config, readConfig } from '../config/config.js';
import { printResult } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { type KeysArguments, parseKeys } from './keys-arguments.js';

export const keys: Verb = {
  help: `
svc keys create --name N --permissions P,P… [--tenant T] [--user U] [--reason TEXT]
svc keys list
svc keys revoke ID [--reason TEXT]

With SVC_AUTH=api-key a caller sends an API key as Authorization: Bearer or as X-Api-Key, and has its permissions,
of the form resource:action. create prints the key once: only its digest is stored. list shows the id of every key, which is
the beginning of the key. A revoked key stops working within seconds on every running host.
The system stream records who did it and why: SVC_ACTOR, or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc). Changes need the owner of the store:
DATABASE_OWNER_URL, where DATABASE_URL logs in as another role.

  --name N           what the key is for
  --permissions P,P  what its bearer may do
  --tenant T         the tenant whose data it may use; by default data without a tenant
  --user U           the user that its bearer acts as
  --reason TEXT      why
  --json             prints JSON; create: { id, key }

  svc keys create --name scraper --permissions svc:observe`,
  run: async (args) => {
    const given = parseKeys(args);
    await withConnectionOf(readConfig(), async (connection, config) => {
      await mustHaveKeys(connection.database);
      const { data, text } = await run(connection, config, given);
      printResult(data, text, given.json);
    });
  },
};

interface Result {
  readonly data: unknown;
  readonly text: string;
}

async function run(connection: StoreConnection, config: Config, given: KeysArguments): Promise<Result> {
  const { database } = connection;
  if (given.action === 'list') {
    const listed = await listApiKeys(database);
    return {
      data: listed,
      text: listed.length === 0 ? 'There are no API keys.' : listed.map(lineOf).join('\n'),
    };
  }
  const editor = cliEditor(config);
  if (given.action === 'create') {
    const made = await connection.asOwner((owner) => createApiKey(owner, editor, given, given));
    return { data: made, text: made.key };
  }
  const { id, reason } = given;
  if (!(await connection.asOwner((owner) => revokeApiKey(owner, editor, id, reason))))
    throw await noKey(database, id);
  return { data: { id }, text: `The key ${prefixOf(id)} is revoked.` };
}

async function noKey(database: Database, id: string): Promise<Problem> {
  const isRevoked = (await listApiKeys(database)).some((key) => key.id === id);
  const detail = isRevoked
    ? `The key ${prefixOf(id)} is already revoked.`
    : `There is no key ${prefixOf(id)}.`;
  return new Problem('not-found', { detail });
}

/** A store that no host of this version has opened yet. */
async function mustHaveKeys(database: Database): Promise<void> {
  const [row] = await database.rows({ text: "SELECT to_regclass('svc_api_keys') IS NOT NULL" });
  if (row?.[0] === 't') return;
  throw new Problem('invalid-setup', {
    detail: 'The store has no API keys yet; run svc migrate, or start a host.',
  });
}

const lineOf = ({ id, name, permissions, tenantId, userId, createdAt, revokedAt }: ListedApiKey): string =>
  [
    prefixOf(id),
    name,
    permissions.join(','),
    ...(tenantId === undefined ? [] : [`tenant ${tenantId}`]),
    ...(userId === undefined ? [] : [`user ${userId}`]),
    `created ${createdAt}`,
    ...(revokedAt === undefined ? [] : [`revoked ${revokedAt}`]),
  ].join('  ');
