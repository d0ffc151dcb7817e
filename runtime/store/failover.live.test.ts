import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { KeyedOutcome } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { type DatabaseOptions, openDatabase } from '../database/database.js';
import { inTransaction, lockRetryDefaults } from '../database/lock-retry.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { crashAndRecover, type PostgresPair, withPostgresPair } from '../testing/postgres-pair.js';
import { until } from '../testing/until.js';
import { appendRecords } from './append-records.js';
import { PostgresIdempotencyGate } from './postgres-idempotency-gate.js';
import { openPostgresStore } from './postgres-event-store.js';

const test = suite('failover to a synchronous standby');

test('a flush whose connection was ended while it waited for the standby is not acknowledged by its retry', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const waiting = await waitingWithoutStandby(pair, append);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));

test('a flush of one event whose connection was ended while it waited is not acknowledged by its retry either', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const unkeyed = (event: Envelope): void => append(event, false);
    const waiting = await waitingWithoutStandby(pair, unkeyed);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));

test('a commit whose wait for the standby was cancelled is not acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const waiting = await waitingWithoutStandby(pair, append);
    await pair.admin('SELECT pg_cancel_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));

test('a commit whose wait for the standby exceeded the statement timeout is not acknowledged, however few messages the server sends', () =>
  onPair(async ({ pair, host }) => {
    await pair.admin('ALTER DATABASE svc SET client_min_messages = error');
    await pair.admin('ALTER DATABASE svc SET synchronous_commit = off');
    const { append, acknowledged } = host({ statementTimeoutMs: 1_000 });
    const first = await waitingWithoutStandby(pair, append);
    const seen = new Set([first]);
    await until(async () => {
      for (const pid of await pair.waiting()) seen.add(pid);
      return acknowledged.length > 1 || seen.size > 2;
    });
  }));

test('a stored response is not replayed before the standby has it', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    const waiting = await waitingWithoutStandby(pair, append, event);
    await pair.admin('SELECT pg_cancel_backend($1)', [waiting]);
    await until(() => isVisible(pair, event));
    claim(event);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).length >= 2);
  }));

test('a commit that became visible by a crash of the primary, without the standby, is never acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    await waitingWithoutStandby(pair, append, event);
    await crashAndRecover(pair);
    await until(() => isVisible(pair, event));
    claim(event);
    const other = host();
    other.append(event, false);
    await until(
      async () => acknowledged.length + other.acknowledged.length > 2 || (await pair.waiting()).length >= 2,
    );
  }));

test('a commit that a frozen replication holds back is not acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    append(happened());
    await until(() => acknowledged.length === 1);
    await pair.freezeSender();
    append(happened());
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).length > 0);
  }));

test('with sync declared, a commit that is released because no standby is asked for any more is not acknowledged, and no further one is stored', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged, refused } = host({ durability: 'sync' });
    await waitingWithoutStandby(pair, append);
    await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
    await pair.admin('SELECT pg_reload_conf()');
    await until(() => acknowledged.length + refused.length > 1);
    assert.equal(refused, ['outcome-unknown']);
    const late = happened();
    append(late);
    await until(() => acknowledged.length + refused.length > 2);
    assert.equal(refused, ['outcome-unknown', 'store-unavailable']);
    assert.not(await isVisible(pair, late));
  }));

test('with sync declared, the commit procedure itself refuses where no standby is asked for or its session does not wait, and stores nothing', () =>
  onPair(async ({ pair }) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole, durability: 'sync' });
    const appended = async (setting: string): Promise<string> => {
      const session = await database.session();
      try {
        await session.rows({ text: setting });
        await appendRecords(session, 'test', [{ envelope: happened(), publish: false }]);
        return 'stored';
      } catch (error) {
        return (error as Problem).code;
      } finally {
        session.release(true);
      }
    };
    const stored = async () => (await pair.admin('SELECT 1 FROM svc_system_events')).length;
    assert.is(await appended('SET synchronous_commit = on'), 'stored');
    const before = await stored();
    assert.is(await appended('SET synchronous_commit = local'), 'store-unavailable');
    assert.is(await appended('SET synchronous_commit = remote_write'), 'store-unavailable');
    assert.is(await appended('SET synchronous_commit = remote_apply'), 'stored');
    await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
    await pair.admin('SELECT pg_reload_conf()');
    await until(async () => (await appended('SELECT 1')) === 'store-unavailable');
    assert.is(await stored(), before + 1);
    await database.close();
  }));

test('a change of an operator whose commit was cut short while it waited for the standby is not reported as done', () =>
  onPair(async ({ pair }) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const session = await database.session();
    await pair.stopStandby();
    const change = inTransaction(session, lockRetryDefaults, () =>
      appendRecords(session, 'test', [{ envelope: happened(), publish: false }]),
    ).then(
      () => 'done',
      (problem: Problem) => problem.code,
    );
    await until(async () => (await pair.waiting()).length > 0);
    await pair.admin("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    assert.is(await change, 'outcome-unknown');
    session.release(true);
    await database.close();
  }));

test('a commit that had to be retried is acknowledged once the standby is back, and survives', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    const waiting = await waitingWithoutStandby(pair, append, event);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => (await pair.waiting()).some((pid) => pid !== waiting));
    claim(event);
    await pair.startStandby();
    await until(() => acknowledged.length === 3);
  }));

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

type Host = ReturnType<typeof hostOn>;

interface Scene {
  readonly pair: PostgresPair;
  host(options?: Partial<DatabaseOptions>): Host;
}

/** Whatever the body does, the primary is lost afterwards: the promoted standby must hold everything acknowledged. */
function onPair(body: (scene: Scene) => Promise<void>): Promise<void> {
  return withPostgresPair(async (pair) => {
    const hosts: Host[] = [];
    const host: Scene['host'] = (options) => {
      const opened = hostOn(pair.url, options);
      hosts.push(opened);
      return opened;
    };
    await body({ pair, host });
    const acknowledged = hosts.flatMap((each) => each.acknowledged);
    const promoted = openDatabase({ url: await pair.failOver(), role: runtimeRole });
    const stored = await promoted.rows({ text: 'SELECT event_id FROM svc_events' });
    await Promise.all([promoted.close(), ...hosts.map((each) => each.close())]);
    const ids = new Set(stored.map(([id]) => id));
    assert.equal(
      acknowledged.filter((id) => !ids.has(id)),
      [],
      'acknowledged and lost',
    );
  });
}

function hostOn(url: string, options: Partial<DatabaseOptions> = {}) {
  const database = openDatabase({ url, role: runtimeRole, ...options });
  const store = openPostgresStore(database, { host: 'test' });
  const gate = new PostgresIdempotencyGate(database, 'store');
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const note = (id: string) => () => void acknowledged.push(id);
  const streamId = newUuid();
  return {
    acknowledged,
    refused,
    append: (envelope: Envelope, keyed = true): void => {
      const events = [{ streamId, envelope, occurredAt: undefined }];
      const unit = { events, records: [], expected: new Map() };
      store
        .commit(keyed ? { ...unit, outcome: outcomeOf(envelope) } : unit)
        .then(note(envelope.messageId), (problem: Problem) => void refused.push(problem.code));
    },
    claim: (envelope: Envelope): void => {
      const { key, fingerprint } = outcomeOf(envelope);
      gate.claim(key, fingerprint).then(
        ({ is }) => is === 'replay' && note(envelope.messageId)(),
        () => undefined,
      );
    },
    close: async (): Promise<void> => {
      await Promise.all([store.close(), gate.close()]);
      await database.close();
    },
  };
}

const outcomeOf = ({ messageId }: Envelope): KeyedOutcome => ({
  key: Buffer.from(messageId.replaceAll('-', ''), 'hex'),
  fingerprint: Buffer.alloc(32, 1),
  status: 200,
  body: '{}',
});

/** One commit with the standby, then one without; returns the process that waits for it. */
async function waitingWithoutStandby(
  pair: PostgresPair,
  append: Host['append'],
  event = happened(),
): Promise<number> {
  append(happened());
  await until(async () => {
    const [row] = await pair.admin('SELECT count(*)::int AS n FROM svc_events');
    return Number(row?.['n']) > 0;
  });
  await pair.stopStandby();
  append(event);
  let pid: number | undefined;
  await until(async () => (pid = (await pair.waiting())[0]) !== undefined);
  return pid ?? 0;
}

async function isVisible(pair: PostgresPair, { messageId }: Envelope): Promise<boolean> {
  return (await pair.admin('SELECT 1 FROM svc_events WHERE event_id = $1', [messageId])).length > 0;
}
