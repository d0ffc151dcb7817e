import * as assert from 'uvu/assert';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { ownerAt } from '../../runtime/database/schema-owner.js';
import { leaseDefaults } from '../../runtime/leases/host-leases.js';
import { addService, type Service } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { addServicePerspectives } from './add-service-perspectives.js';
import type { PerspectivesOptions } from './running-perspectives.js';
import { addSystemEvents } from '../add-system-events-and-auditing.js';
import { account, accounts, booked, closed } from '../testing/accounts-perspective.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('perspectives on PostgreSQL');

interface Scene {
  readonly url: string;
  readonly owner: Database;
  readonly host: (perspectives: readonly AnyPerspective[], options?: PerspectivesOptions) => Service;
}

const withHosts = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const hosts: Service[] = [];
    const host: Scene['host'] = (perspectives, options) => {
      const service = addService()
        .with(postgresEventStore({ url }))
        .with(addSystemEvents((system) => system.enableAll()))
        .with(addServicePerspectives(perspectives, options));
      hosts.push(service);
      return service;
    };
    try {
      await body({ url, owner: connect({ owner: true }), host });
    } finally {
      for (const service of hosts.reverse()) await service.stop();
    }
  });

const soon = (): AbortSignal => AbortSignal.timeout(300_000);

test('a perspective folds stored and new events, and a reader can wait for its own write', () =>
  withHosts(async ({ owner, host }) => {
    const [ours, gone] = [account(), account()];
    const service = host([accounts()]);
    const log = service.eventStore;
    await log.append(ours, [booked(5, '', 'acme'), booked(7)]);
    await log.append(gone, [booked(1), closed()]);
    const { globalPositions } = await log.append(ours, booked(-2));
    await service.caughtUp('accounts', globalPositions[0] ?? 0, soon());
    const rows = await owner.rows({ text: 'SELECT id, model, sum, tenant, applied FROM svc_per_accounts' });
    assert.equal(rows, [[ours, '{"sum": 10, "amounts": [5, 7, -2]}', '10', 'acme', '3']]);
    await until(() => service.perspectives[0]?.state === 'live');
    const [{ position, ...state } = { position: 0 }] = service.perspectives;
    assert.ok(position >= 5);
    assert.equal(state, { name: 'accounts', lag: 0, behindSeconds: 0, state: 'live', parked: 0 });
  }));

test('system events are read like domain events', () =>
  withHosts(async ({ owner, host }) => {
    const audits: AnyPerspective = {
      name: 'audit-log',
      events: [EventAudited, CommandAudited],
      key: (event: StoredEvent) => event.messageId,
      late: 'apply',
      initial: () => ({}),
      apply: (_model: unknown, event: StoredEvent) => event.payload,
    };
    const service = host([audits]);
    const { globalPositions } = await service.eventStore.append(account(), [booked(1), booked(2)]);
    await service.caughtUp('audit-log', (globalPositions[1] ?? 0) + 2, soon());
    const rows = await owner.rows({
      text: "SELECT model ->> 'originalEventType', model ->> 'originalStreamPosition' FROM svc_per_audit_log ORDER BY position",
    });
    assert.equal(rows, [
      ['Booked', '1'],
      ['Booked', '2'],
    ]);
  }));

test('an idle host queries less than once a second, however many perspectives it runs', () =>
  withMigratedDatabase(async ({ connect, openStore, url }) => {
    const database = connect();
    const statements: string[] = [];
    const counted: Database = {
      ...database,
      rows: (statement) => {
        statements.push(statement.name ?? statement.text);
        return database.rows(statement);
      },
    };
    const connection = { database: counted, ...ownerAt(url) };
    const faster = 8;
    const { leaseMs, renewMs } = leaseDefaults;
    assert.ok(renewMs > 1_000);
    const service = addService()
      .with(eventStore(openStore(), () => Promise.resolve(connection)))
      .with(
        addServicePerspectives(
          ['a', 'b', 'c', 'd', 'e'].map((name) => accounts({ name })),
          { leaseMs: leaseMs / faster, renewMs: renewMs / faster },
        ),
      );
    try {
      await until(() => service.perspectives.every(({ state }) => state === 'live'));
      const owner = connect({ owner: true });
      const text =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'";
      await until(async () => (await owner.rows({ text })).length === 1);
      // Once it listens, it looks for what was committed before; then only one question renews all leases.
      await until(() => statements.slice(-3).join() === 'svc_turn,svc_turn,svc_turn');
      statements.length = 0;
      const from = performance.now();
      await until(() => statements.length >= 4);
      assert.equal([...new Set(statements)], ['svc_turn']);
      // A busy machine wakes up later.
      assert.ok(
        statements.length <= 1 + (performance.now() - from) / (renewMs / faster),
        `${statements.length}`,
      );
    } finally {
      await service.stop();
    }
  }));

test('waiting for an undeclared perspective is refused', () =>
  withHosts(async ({ host }) => {
    const refused = await host([accounts()])
      .caughtUp('nothing', 1)
      .catch((error: Error) => error.message);
    assert.is(refused, "There is no perspective 'nothing'; there are: accounts.");
  }));
