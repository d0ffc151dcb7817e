import { apiKeys } from './api-keys.js';
import { chainSwitch } from './chain.js';
import { commitOneCall } from './commit-one-call.js';
import { commitLists } from './commit-lists.js';
import { commit } from './commit.js';
import { deployments } from './deployments.js';
import { epochs } from './epochs.js';
import { flags } from './flags.js';
import { inboxDeadLetters } from './inbox-dead-letters.js';
import { inboxReceive } from './inbox-receive.js';
import { inbox } from './inbox.js';
import { late } from './late-events.js';
import { operating } from './operating.js';
import { originEpochs } from './origin-epochs.js';
import { outbox } from './outbox.js';
import { perspectives } from './perspectives.js';
import { privileges } from './privileges.js';
import { reactions } from './reactions.js';
import { readRows } from './read-rows.js';
import { rebuilds } from './rebuilds.js';
import { rewinds } from './rewinds.js';
import { roles } from './roles.js';
import { rowSecurity } from './row-security.js';
import { sealing } from './sealing.js';
import { segments } from './segments.js';
import { states } from './states.js';
import { storeBinding } from './store-binding.js';
import { storeBroadcast } from './store-broadcast.js';
import { signedHeads } from './signed-heads.js';
import { storeKey } from './store-key.js';
import { storeTrust } from './store-trust.js';
import { subjects } from './subjects.js';
import { tables } from './tables.js';
import { unconfirmedRecords } from './unconfirmed-records.js';
import { views } from './views.js';
import { workers } from './workers.js';

/** One piece of our own schema; its text may run again at any time. */
export interface SchemaPiece {
  readonly key: string;
  readonly sql: string;
}

/** Our own schema, in order; every item may run again. */
export const schemaItems = (role: string | undefined): readonly SchemaPiece[] => [
  { key: 'svc/tables', sql: tables },
  { key: 'svc/late', sql: late },
  { key: 'svc/segments', sql: segments },
  { key: 'svc/commit', sql: commit },
  { key: 'svc/chain', sql: chainSwitch },
  { key: 'svc/sealing', sql: sealing },
  { key: 'svc/commit-one', sql: commitOneCall },
  { key: 'svc/reactions', sql: reactions },
  { key: 'svc/commit-lists', sql: commitLists },
  { key: 'svc/operating', sql: operating },
  { key: 'svc/views', sql: views },
  { key: 'svc/outbox', sql: outbox },
  { key: 'svc/workers', sql: workers },
  { key: 'svc/rewinds', sql: rewinds },
  { key: 'svc/rebuilds', sql: rebuilds },
  { key: 'svc/perspectives', sql: perspectives },
  { key: 'svc/epochs', sql: epochs },
  { key: 'svc/store-binding', sql: storeBinding },
  { key: 'svc/store-broadcast', sql: storeBroadcast },
  { key: 'svc/row-security', sql: rowSecurity },
  { key: 'svc/read-rows', sql: readRows },
  { key: 'svc/inbox', sql: inbox },
  { key: 'svc/store-trust', sql: storeTrust },
  { key: 'svc/unconfirmed-records', sql: unconfirmedRecords },
  { key: 'svc/origin-epochs', sql: originEpochs },
  { key: 'svc/inbox-receive', sql: inboxReceive },
  { key: 'svc/signed-heads', sql: signedHeads },
  { key: 'svc/inbox-dead-letters', sql: inboxDeadLetters },
  { key: 'svc/roles', sql: roles },
  { key: 'svc/api-keys', sql: apiKeys },
  { key: 'svc/deployments', sql: deployments },
  { key: 'svc/flags', sql: flags },
  { key: 'svc/store-key', sql: storeKey },
  { key: 'svc/subjects', sql: subjects },
  { key: 'svc/states', sql: states },
  // The role is part of the text: granted again once the role exists.
  { key: 'svc/privileges', sql: `-- ${role ?? 'no role'}\n${privileges}` },
];
