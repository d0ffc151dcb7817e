import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import type { AccessEditor } from '../access/recorded-change.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';
import { changeFlag, declareFlags } from './change-flag.js';
import { listFlags, readFlags } from './read-flags.js';

const test = suite('stored flags');

const policy = new AuditPolicy(new SystemEventOptions());
const editor: AccessEditor = {
  changedBy: 'ann',
  host: 'desk',
  recordOf: (message) => systemRecord(message, {}, policy),
};

const events = async (database: Database) => {
  const text = `SELECT data - '{id,timestamp}'::text[] FROM svc_system_stream WHERE event_type = 'FlagChanged' ORDER BY stream_position`;
  return (await database.rows({ text })).map(([data]) => JSON.parse(data ?? '') as unknown);
};

test('a change is stored with its FlagChanged, by the role of the runtime, and one that changes nothing is not', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    await declareFlags(database, ['gift-wrap']);
    const [on, percent] = [
      { kind: 'on', tenants: ['acme'] } as const,
      { kind: 'set', percent: 12.5 } as const,
    ];
    const first = await changeFlag(database, editor, 'gift-wrap', on, { reason: 'a pilot' });
    assert.equal([first.changed, first.rules.tenants], [true, { acme: true }]);
    assert.is((await changeFlag(database, editor, 'gift-wrap', on)).changed, false);
    assert.is((await changeFlag(database, editor, 'gift-wrap', percent)).changed, true);
    const pilot = { on: false, tenants: { acme: true }, users: {} };
    const changed = { name: 'gift-wrap', actor: 'ann' };
    assert.equal(await events(database), [
      { ...changed, before: null, after: pilot, reason: 'a pilot' },
      { ...changed, before: pilot, after: { ...pilot, percent: 12.5 } },
    ]);
    const [listed] = await listFlags(database);
    assert.equal([listed?.percent, listed?.changed?.by, listed?.changed?.reason], [12.5, 'ann', undefined]);
    assert.is((await verifyChain(database)).ok, true);
  }));

test('a name that no host has declared is refused in one line that names the known ones, unless it is new', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    await declareFlags(database, ['gift-wrap', 'fast-lane']);
    const misspelled = await changeFlag(database, editor, 'gift-warp', { kind: 'on' }).catch(
      (error: unknown) => error,
    );
    assert.instance(misspelled, Problem);
    assert.is((misspelled as Problem).detail, 'There is no flag gift-warp; known are fast-lane, gift-wrap.');
    assert.equal(await events(database), []);
    await changeFlag(database, editor, 'other', { kind: 'on' }, { isNew: true });
    await changeFlag(database, editor, 'other', { kind: 'off' });
    assert.equal(
      (await listFlags(database)).map(({ name, declared, on }) => [name, declared, on]),
      [
        ['fast-lane', true, false],
        ['gift-wrap', true, false],
        ['other', false, false],
      ],
    );
  }));

test('concurrent changes wait for each other, and none is lost', () =>
  withMigratedDatabase(async ({ connect }) => {
    const databases = [connect(), connect()];
    const users = Array.from({ length: 8 }, (_, n) => `user-${n}`);
    await Promise.all(
      users.map((user, n) =>
        changeFlag(
          databases[n % 2] ?? connect(),
          editor,
          'gift-wrap',
          { kind: 'on', users: [user] },
          { isNew: true },
        ),
      ),
    );
    const database = connect();
    const stored = await readFlags(database);
    assert.equal(Object.keys(stored?.rules.get('gift-wrap')?.users ?? {}), users);
    assert.is((await events(database)).length, 8);
    assert.is(await readFlags(database, stored?.version), undefined, 'a known version is not read again');
  }));

test('a change notifies the hosts, they find one by hand by its version, and the runtime cannot write the table', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    const notified: string[] = [];
    const stop = new Notifications(database).subscribe((channel) => void notified.push(channel));
    try {
      await until(() => notified.includes('svc_flags'));
      notified.length = 0;
      const changes = () => notified.filter((channel) => channel === 'svc_flags').length;
      await changeFlag(database, editor, 'gift-wrap', { kind: 'on' }, { isNew: true });
      await until(() => changes() === 1);
      const known = await readFlags(database);
      await owner.rows({ text: 'DELETE FROM svc_flags' });
      assert.equal((await readFlags(database, known?.version))?.rules, new Map());
      for (const table of ['svc_flags', 'svc_flag_names', 'svc_versions']) {
        const refused = await database.rows({ text: `DELETE FROM ${table}` }).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        assert.is(refused, '42501', table);
      }
    } finally {
      stop();
    }
  }));
