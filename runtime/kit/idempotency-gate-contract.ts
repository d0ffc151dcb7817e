import assert from 'node:assert/strict';
import type { Claim, IdempotencyGate } from '../../contracts/idempotency-gate.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { contractRules, type WithSubject, type RunnerTest } from './contract-rules.js';

/** The gates of two hosts and the store they share. */
export interface SharedGates {
  readonly here: IdempotencyGate;
  readonly there: IdempotencyGate;
  readonly store: UnitStore;
}

/** The contract of every idempotency gate. */
export function idempotencyGateContract(test: RunnerTest, withGates: WithSubject<SharedGates>): void {
  const rule = contractRules(test, withGates);

  rule('an unused key is free', async ({ here }) => {
    assert.equal((await here.claim(key, print)).is, 'free');
  });

  rule('a key that is claimed is in flight, here and on every other host', async ({ here, there }) => {
    await here.claim(key, print);
    assert.equal((await here.claim(key, print)).is, 'in-flight');
    assert.equal((await there.claim(key, print)).is, 'in-flight');
  });

  rule('exactly one of many concurrent claims is admitted', async ({ here, there }) => {
    const claims = await Promise.all([here, there, here, there].map((gate) => gate.claim(key, print)));
    assert.deepEqual(claims.map((claim) => claim.is).toSorted(), [
      'free',
      'in-flight',
      'in-flight',
      'in-flight',
    ]);
  });

  rule('keys do not block each other', async ({ here, there }) => {
    await here.claim(key, print);
    const others = [here.claim(Buffer.from('key-2'), print), there.claim(Buffer.from('key-3'), print)];
    assert.deepEqual(
      (await Promise.all(others)).map((claim) => claim.is),
      ['free', 'free'],
    );
  });

  rule('a key that was released without an outcome is free again, on every host', async ({ here, there }) => {
    await released(await here.claim(key, print));
    await released(await there.claim(key, print));
    assert.equal((await here.claim(key, print)).is, 'free');
  });

  rule('a request that was answered is replayed, here and on every other host', async (gates) => {
    const claim = await gates.here.claim(key, print);
    await answered(gates.store, 200, '{"orderId":"1"}');
    await released(claim);
    for (const gate of [gates.here, gates.there, gates.here]) {
      const replay = await gate.claim(key, print);
      assert.ok(replay.is === 'replay');
      assert.equal(replay.outcome.status, 200);
      assert.equal(replay.outcome.body, '{"orderId":"1"}');
    }
  });

  rule('an answer without a body is replayed without one', async ({ here, store }) => {
    await answered(store, 204, null);
    const replay = await here.claim(key, print);
    assert.ok(replay.is === 'replay');
    assert.equal(replay.outcome.status, 204);
    assert.equal(replay.outcome.body, null);
  });

  rule('a key that was used for another request is reported as reused', async ({ here, there, store }) => {
    await answered(store, 200, '{}');
    assert.equal((await here.claim(key, Buffer.from('another request'))).is, 'reused');
    assert.equal((await there.claim(key, Buffer.from('another request'))).is, 'reused');
  });
}

const key = Buffer.from('key-1');
const print = Buffer.from('the request');

const answered = (store: UnitStore, status: number, body: string | null): Promise<void> =>
  store.commit({
    events: [],
    records: [],
    expected: new Map(),
    outcome: { key, fingerprint: print, status, body },
  });

async function released(claim: Claim): Promise<void> {
  assert.ok(claim.is === 'free', `the key is ${claim.is}`);
  await claim.release();
}
