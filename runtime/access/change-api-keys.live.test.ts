import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import type { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';
import { newApiKey } from './api-key.js';
import { listApiKeys, readValidApiKeys } from './api-key-store.js';
import { createApiKey, revokeApiKey } from './change-api-keys.js';
import { KnownApiKeys } from './known-api-keys.js';
import type { AccessEditor } from './recorded-change.js';

const test = suite('API keys in the store');

const policy = new AuditPolicy(new SystemEventOptions());
const editor: AccessEditor = {
  changedBy: 'grace',
  host: 'test',
  recordOf: (message) => systemRecord(message, {}, policy),
};
const grant = { name: 'till', permissions: ['orders:read'], tenantId: 'north' };

const actions = (database: Database) =>
  database.rows({
    text: `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
      WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
  });

test('a key is stored as its digest, and its events name who changed it, what it allows and why', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    const { id, key } = await createApiKey(owner, editor, grant, { reason: 'new till' });
    const [listed] = await listApiKeys(database);
    const { createdAt = '', ...shown } = listed ?? {};
    assert.equal(shown, { id, ...grant });
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const known = new KnownApiKeys(() => readValidApiKeys(database));
    await known.refresh();
    assert.is(known.identityOf(key)?.scope.tenantId, 'north');
    assert.is(await revokeApiKey(owner, editor, id, 'stolen'), true);
    assert.is(await revokeApiKey(owner, editor, id), false, 'once');
    assert.is(await revokeApiKey(owner, editor, '00000000'), false, 'no such key');
    assert.ok((await listApiKeys(database))[0]?.revokedAt);
    await known.refresh();
    assert.is(known.identityOf(key), undefined);
    assert.equal(await actions(database), [
      ['keys create', `svc_${id}`, 'grace', 'new till'],
      ['keys revoke', `svc_${id}`, 'grace', 'stolen'],
    ]);
    const [created] = await database.rows({
      text: `SELECT data->'permissions', data->'details', data FROM svc_system_stream
        WHERE data->>'action' = 'keys create'`,
    });
    assert.equal(
      created?.slice(0, 2).map((part) => JSON.parse(part ?? 'null') as unknown),
      [['orders:read'], { name: 'till', tenantId: 'north' }],
    );
    assert.not.match(created?.[2] ?? '', key.slice(13));
    const [all] = await database.rows({ text: `SELECT string_agg(k::text, '') FROM svc_api_keys k` });
    assert.not.match(all?.[0] ?? '', key.slice(13));
    assert.match(all?.[0] ?? '', createHash('sha256').update(key).digest('hex'));
  }));

test('a key whose id is taken gets another one', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const first = newApiKey();
    const others = [first, { id: first.id, key: newApiKey().key }, newApiKey()];
    const next = () => others.shift() ?? newApiKey();
    await createApiKey(owner, editor, grant, { next });
    assert.not.equal((await createApiKey(owner, editor, grant, { next })).id, first.id);
    assert.is((await listApiKeys(owner)).length, 2);
    assert.is((await actions(owner)).length, 2);
  }));

test('a change that cannot be recorded is not made', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const recordOf = () => {
      throw new RangeError('no record');
    };
    let refused: unknown;
    await createApiKey(owner, { ...editor, recordOf }, grant).catch((error: unknown) => (refused = error));
    assert.instance(refused, RangeError);
    assert.equal(await listApiKeys(owner), []);
  }));

test('the runtime reads keys, and only the owner changes them', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    const { id } = await createApiKey(owner, editor, grant);
    for (const text of [
      `UPDATE svc_api_keys SET permissions = '{*:*}'`,
      'DELETE FROM svc_api_keys',
      'TRUNCATE svc_api_keys',
      `INSERT INTO svc_api_keys SELECT '00000000', digest, name, permissions FROM svc_api_keys`,
    ]) {
      let refused = '';
      await database.rows({ text }).catch((error: Error) => (refused = error.message));
      assert.match(refused, 'permission denied', text);
    }
    assert.equal(
      (await listApiKeys(database)).map((key) => [key.id, key.permissions]),
      [[id, ['orders:read']]],
    );
  }));

test('a change of a key notifies the hosts, and one by hand changes the version that they compare', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    const notified: string[] = [];
    const stop = new Notifications(database).subscribe((channel) => void notified.push(channel));
    try {
      await until(() => notified.includes('svc_access'));
      notified.length = 0;
      const changes = () => notified.filter((channel) => channel === 'svc_access').length;
      const { id } = await createApiKey(owner, editor, grant);
      await until(() => changes() === 1);
      await revokeApiKey(owner, editor, id);
      await until(() => changes() === 2);
      const text = "SELECT version FROM svc_versions WHERE channel = 'svc_access'";
      const before = await owner.rows({ text });
      await owner.rows({ text: 'DELETE FROM svc_api_keys' });
      assert.not.equal(await owner.rows({ text }), before);
    } finally {
      stop();
    }
  }));
