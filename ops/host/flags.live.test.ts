import * as assert from 'uvu/assert';
import { Supervisor } from '../../actors/supervisor/supervisor.js';
import { type Decode, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { flagOff, isOnFor } from '../../contracts/flags.js';
import { Command } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import type { AccessEditor } from '../../runtime/access/recorded-change.js';
import { AuditPolicy } from '../../runtime/audit/audit-policy.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import { type Database, openDatabase } from '../../runtime/database/database.js';
import { Notifications } from '../../runtime/database/notifications.js';
import { changeFlag } from '../../runtime/flags/change-flag.js';
import type { FlagChange } from '../../runtime/flags/flag-change.js';
import { listFlags } from '../../runtime/flags/read-flags.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { authenticate, credentialsOf } from '../testing/test-credentials.js';
import { startFlags } from './flags.js';
import { type Host, startHost } from './host.js';

const test = suite('flags on running hosts');

@CommandEndpoint<Decide, unknown>({ restRoute: '/decide', permission: 'authenticated' })
class Decide extends Command {
  flag!: string;
}

const decode: Decode<Decide> = (value, path, faults) => {
  const from = object(value, path, faults);
  return from === undefined ? invalid : Decide.of({ flag: text(from['flag'], `${path}/flag`, faults) });
};

/** Stores nothing: the answer depends on the flag alone. */
const decide: Receptor<Decide, unknown> = {
  handle: ({ flag }, { flags, context }) => ({
    inHook: context.items.get('hook'),
    inReceptor: flags.isOn(flag),
  }),
};

const definition: ServiceDefinition = {
  name: 'decisions',
  authenticate,
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: Decide,
        endpoint: new HookedEndpoint<Decide>(dispatcher, {
          before: ({ flag }, { items, flags }) => void items.set('hook', flags.isOn(flag)),
        }),
        decode,
      }),
    ],
    receptors: [receptor(Decide, decide)],
    flags: ['gift-wrap'],
  }),
};

const policy = new AuditPolicy(new SystemEventOptions());
const editor: AccessEditor = {
  changedBy: 'ann',
  host: 'desk',
  recordOf: (message) => systemRecord(message, {}, policy),
};

interface Scene {
  /** Whether the flag is on for a caller, as each host answers. */
  readonly seen: (userId: string, tenantId?: string) => Promise<readonly boolean[]>;
  readonly change: (change: FlagChange) => Promise<unknown>;
  readonly database: Database;
  /** Between the second host and the database. */
  readonly line: NetworkProxy;
}

const withTwoHosts = sharedIn<Scene>(test, (body) =>
  withMigratedDatabase(({ url, connect }) =>
    withProxy(url, async (line) => {
      const settings = { SVC_PORT: '0', SVC_LOG: 'silent', SVC_AUDIT: 'off' };
      const hosts: Host[] = [];
      try {
        for (const [SVC_NAME, DATABASE_URL] of Object.entries({ north: url, south: line.url }))
          hosts.push(await startHost(definition, readConfig({ ...settings, SVC_NAME, DATABASE_URL })));
        const database = connect();
        const ask = async (host: string, scope: object): Promise<boolean> => {
          const headers = credentialsOf({ source: 'test', scope });
          const answer = await post(host, { flag: 'gift-wrap' }, { path: '/decide', headers });
          assert.is(answer.status, 200, answer.text);
          const { inHook, inReceptor } = jsonOf(answer) as Record<string, boolean>;
          assert.is(inHook, inReceptor);
          return inReceptor === true;
        };
        const seen = (userId: string, tenantId = 'hall') =>
          Promise.all(hosts.map((host) => ask(host.url, { userId, tenantId })));
        const change = (what: FlagChange) => changeFlag(database, editor, 'gift-wrap', what);
        await body({ seen, change, database, line });
      } finally {
        for (const host of hosts) await host.stop();
      }
    }),
  ),
);

const isSeen = async (answers: Promise<readonly boolean[]>, isOn: boolean): Promise<boolean> =>
  (await answers).every((answer) => answer === isOn);

test('a change is in force on every host without a restart, for hooks and receptors, within its scope', () =>
  withTwoHosts(async ({ seen, change, database }) => {
    assert.equal(
      (await listFlags(database)).map(({ name, on, declared }) => [name, on, declared]),
      [['gift-wrap', false, true]],
    );
    assert.equal(await seen('ann'), [false, false]);
    await change({ kind: 'on', tenants: ['acme'] });
    await until(() => isSeen(seen('ann', 'acme'), true));
    assert.equal(await seen('ann', 'hall'), [false, false]);
    await change({ kind: 'set', percent: 50 });
    const users = Array.from({ length: 30 }, (_, n) => `user-${n}`);
    const half = { ...flagOff, percent: 50 };
    const expected = users.map((userId) => isOnFor('gift-wrap', half, { userId }));
    const [one = '', other = ''] = [users[expected.indexOf(true)], users[expected.indexOf(false)]];
    await until(async () => (await isSeen(seen(one), true)) && (await isSeen(seen(other), false)));
    for (const [n, user] of users.entries())
      assert.equal(await seen(user), [expected[n], expected[n]], `${user}: the same on both hosts`);
    await change({ kind: 'off' });
    await until(() => isSeen(seen(one, 'acme'), false));
  }));

test('an evaluation needs no query: while the store is away the last known value holds', () =>
  withTwoHosts(async ({ seen, change, line }) => {
    await change({ kind: 'on' });
    await until(() => isSeen(seen('ann'), true));
    await line.cut();
    await change({ kind: 'off' });
    await until(async () => (await seen('ann'))[0] === false);
    assert.equal(await seen('ann'), [false, true], 'the second host cannot know');
    await line.restore();
    await until(() => isSeen(seen('ann'), false));
  }));

const deaf = { subscribe: () => () => undefined };

test('a hundred thousand evaluations send nothing to the store', () =>
  withMigratedDatabase(({ url, connect }) =>
    withProxy(url, async (line) => {
      const [database, supervisor] = [openDatabase({ url: line.url, connections: 1 }), new Supervisor()];
      try {
        const registry = { endpoints: [], receptors: [], flags: ['gift-wrap'] };
        const [notifications, leases] = [deaf, { watch: () => () => undefined }];
        await changeFlag(connect(), editor, 'gift-wrap', { kind: 'set', percent: 50 }, { isNew: true });
        const flags = await startFlags({ supervisor, database, registry, notifications, leases });
        await database.rows({ text: 'SELECT 1' });
        const before = line.sentBytes();
        let on = 0;
        for (let n = 0; n < 100_000; n++) if (flags.isOn('gift-wrap', { userId: `user-${n}` })) on++;
        assert.ok(on > 40_000 && on < 60_000, `${on} of 100000`);
        // What an evaluation had sent would have arrived before this.
        await database.rows({ text: 'SELECT 2' });
        const one = line.sentBytes() - before;
        await database.rows({ text: 'SELECT 3' });
        assert.is(one, line.sentBytes() - before - one, 'only our own query');
      } finally {
        await supervisor.stop();
        await database.close();
      }
    }),
  ));

for (const [name, isDeaf] of [
  ['by its notification alone', false],
  ['with the next renewal of leases, when the notification is lost', true],
] as const) {
  test(`a change arrives ${name}`, () =>
    withMigratedDatabase(async ({ connect }) => {
      const [database, supervisor] = [connect(), new Supervisor()];
      const received: string[] = [];
      const notifications = new Notifications(database);
      const stop = notifications.subscribe((channel) => void received.push(channel));
      const renewed = hostLeases(database);
      const leave = renewed.join({ names: () => ['outbox'], renewed: () => undefined });
      try {
        await until(() => received.length > 0);
        const registry = { endpoints: [], receptors: [], flags: ['gift-wrap'] };
        const sources = isDeaf
          ? { notifications: deaf, leases: renewed }
          : { notifications, leases: { watch: () => () => undefined } };
        const flags = await startFlags({ supervisor, database, registry, ...sources });
        assert.is(flags.isOn('gift-wrap', {}), false);
        await changeFlag(database, editor, 'gift-wrap', { kind: 'on' });
        await until(() => flags.isOn('gift-wrap', {}));
      } finally {
        stop();
        await leave();
        await supervisor.stop();
      }
    }));
}
