import * as assert from 'uvu/assert';
import type { Claim } from '../../contracts/idempotency-gate.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Database, openDatabase, type Session } from '../database/database.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { idempotencyGateContract, type SharedGates } from '../kit/idempotency-gate-contract.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { type NetworkProxy, withProxy } from '../testing/network-proxy.js';
import { until } from '../kit/until.js';
import { PostgresIdempotencyGate } from './postgres-idempotency-gate.js';

interface TwoHosts extends SharedGates {
  readonly here: PostgresIdempotencyGate;
  readonly there: PostgresIdempotencyGate;
  readonly database: MigratedDatabase;
}

const contract = suite('postgres idempotency gate');
idempotencyGateContract(contract, withTwoHosts);

const test = suite('postgres idempotency gate and its session');

test('the keys of a host that dies are free on the others at once', () =>
  withTwoHosts(async ({ here, there, database }) => {
    await here.claim(key, print);
    await dead('here', database);
    assert.is((await there.claim(key, print)).is, 'free');
  }));

test('the keys of a host that closes its gate are free on the others', () =>
  withTwoHosts(async ({ here, there }) => {
    await here.claim(key, print);
    await here.close();
    // The server notices a moment later that the session has ended.
    await until(async () => (await there.claim(key, print)).is === 'free');
  }));

test('a host that lost its connection while idle opens a new one and does not fail', () =>
  withTwoHosts(async ({ here, database }) => {
    await released(await here.claim(key, print));
    await dead('here', database);
    assert.is((await here.claim(key, print)).is, 'free');
  }));

test('a claim that outlived its connection is still in flight on its own host, until it is released', () =>
  withTwoHosts(async ({ here, database }) => {
    const claim = await here.claim(key, print);
    await dead('here', database);
    assert.is((await here.claim(key, print)).is, 'in-flight');
    await released(claim);
    assert.is((await here.claim(key, print)).is, 'free');
  }));

test('a claim whose connection dies silently after its lock was taken is not taken for a duplicate of itself', () =>
  withSilentHost(async ({ gate, line, database }) => {
    await released(await gate.claim(Buffer.from('key-2'), print));
    line.swallowAnswers();
    const claim = gate.claim(key, print);
    await until(async () => (await locksIn(database)) > 0);
    line.stall();
    assert.is((await claim).is, 'free');
  }));

test('a claim that cannot be released over a silent connection holds its key no longer than that is known', () =>
  withSilentHost(async ({ gate, line }) => {
    const claim = await gate.claim(key, print);
    line.stall();
    await released(claim);
    assert.is((await gate.claim(key, print)).is, 'free');
  }));

test('releasing a claim of a lost connection does not free a key that another host has claimed since', () =>
  withTwoHosts(async ({ here, there, database }) => {
    const old = await here.claim(key, print);
    await dead('here', database);
    await there.claim(key, print);
    await released(old);
    assert.is((await here.claim(key, print)).is, 'in-flight');
  }));

test('releasing a claim of a lost connection does not free a key that this host has claimed since', () =>
  withTwoHosts(async ({ here, there, database }) => {
    const old = await here.claim(key, print);
    await dead('here', database);
    await here.claim(Buffer.from('key-2'), print);
    // The gate is idle, so that the next claim reaches the database before the release does.
    await new Promise(setImmediate);
    const [, again] = await Promise.all([released(old), here.claim(key, print)]);
    assert.is(again.is, 'free');
    assert.is((await there.claim(key, print)).is, 'in-flight');
  }));

test('a replay holds no lock', () =>
  withTwoHosts(async ({ here, there, store, database }) => {
    const outcome = { key, fingerprint: print, status: 200, body: '{}' };
    await store.commit({ events: [], records: [], expected: new Map(), outcome });
    assert.is((await here.claim(key, print)).is, 'replay');
    assert.is((await there.claim(key, Buffer.from('another request'))).is, 'reused');
    // It is answered before the lock that it took is released.
    await until(async () => (await locksIn(database)) === 0);
  }));

test('stores with other ids do not share their keys', () =>
  withTwoHosts(async ({ here, database }) => {
    await here.claim(key, print);
    const otherStore = new PostgresIdempotencyGate(database.connect(), 'another store');
    assert.is((await otherStore.claim(key, print)).is, 'free');
    await otherStore.close();
  }));

test('an outcome that has expired is not replayed', () =>
  withTwoHosts(async ({ here, store, database }) => {
    const outcome = { key, fingerprint: print, status: 200, body: '{}' };
    await store.commit({ events: [], records: [], expected: new Map(), outcome });
    await database
      .connect({ owner: true })
      .rows({ text: "UPDATE svc_idempotency SET expires_at = now() - interval '1 second'" });
    assert.is((await here.claim(key, print)).is, 'free');
  }));

test('many concurrent claims each get a result', () =>
  withTwoHosts(async ({ here, there }) => {
    const keys = Array.from({ length: 600 }, (_, n) => Buffer.from(`key-${n}`));
    const claims = await Promise.all(
      [here, there].flatMap((gate) => keys.map((each) => gate.claim(each, print))),
    );
    const free = claims.filter((claim) => claim.is === 'free');
    assert.is(free.length, 600);
    await Promise.all(free.map(released));
    assert.is((await there.claim(keys[0] ?? key, print)).is, 'free');
  }));

test('keys that are released at the same time share a statement', () =>
  withMigratedDatabase(async (database) => {
    let unlocked = 0;
    const counted = database.connect();
    const session = async () => {
      const opened = await counted.session();
      const rows: Session['rows'] = (statement) => {
        if (statement.name === 'svc_unlock') unlocked++;
        return opened.rows(statement);
      };
      return { ...opened, rows };
    };
    const gate = new PostgresIdempotencyGate({ ...counted, session }, 'store');
    const keys = Array.from({ length: 100 }, (_, n) => Buffer.from(`key-${n}`));
    const claims = await Promise.all(keys.map((each) => gate.claim(each, print)));
    await Promise.all(claims.map(released));
    assert.is(unlocked, 1);
    assert.is(await locksIn(database), 0);
    await gate.close();
  }));

test('without a database a claim fails, and the key is not stuck', async () => {
  const gate = new PostgresIdempotencyGate(nowhere, 'store');
  for (const _ of ['first', 'second']) {
    const refusal = await gate.claim(key, print).catch((error: unknown) => error);
    assert.ok(refusal instanceof Problem);
    assert.is(refusal.code, 'store-unavailable');
  }
});

const key = Buffer.from('key-1');
const print = Buffer.from('the request');

function withTwoHosts(body: (hosts: TwoHosts) => Promise<void>): Promise<void> {
  return withMigratedDatabase(async (database) => {
    const here = new PostgresIdempotencyGate(database.connect({ applicationName: 'here' }), 'store');
    const there = new PostgresIdempotencyGate(database.connect({ applicationName: 'there' }), 'store');
    try {
      await body({ here, there, database, store: database.openStore() });
    } finally {
      await here.close();
      await there.close();
    }
  });
}

interface SilentHost {
  readonly gate: PostgresIdempotencyGate;
  readonly line: NetworkProxy;
  readonly database: MigratedDatabase;
}

/** A host behind a line that can fall silent; it waits 6 s for an answer. */
function withSilentHost(body: (host: SilentHost) => Promise<void>): Promise<void> {
  return withMigratedDatabase((database) =>
    withProxy(database.url, async (line) => {
      const far = openDatabase({ url: line.url, role: runtimeRole, statementTimeoutMs: 1_000 });
      const gate = new PostgresIdempotencyGate(far, 'store');
      try {
        await body({ gate, line, database });
      } finally {
        await line.cut();
        await gate.close();
        await far.close();
      }
    }),
  );
}

/** Kills the connections of a host and returns when they have ended. */
async function dead(host: string, database: MigratedDatabase): Promise<void> {
  const text = 'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1';
  const killed = await database.connect({ owner: true }).rows({ text, values: [host] });
  assert.ok(killed.length > 0 && killed.every(([gone]) => gone === 't'));
}

async function locksIn(database: MigratedDatabase): Promise<number> {
  const [row] = await database.connect({ owner: true }).rows({
    text: `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  });
  return Number(row?.[0]);
}

async function released(claim: Claim): Promise<void> {
  assert.ok(claim.is === 'free');
  await claim.release();
}

const nowhere: Database = {
  changes: 0,
  rows: () => Promise.reject(new Error('unreachable')),
  session: () => Promise.reject(new Error('connect ECONNREFUSED')),
  close: () => Promise.resolve(),
};
