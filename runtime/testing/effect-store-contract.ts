import assert from 'node:assert/strict';
import type { ClaimedEffect, EffectStore } from '../../contracts/effect-store.js';
import { partitions } from '../../contracts/reaction-store.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { contractRules, type RunnerTest, type WithSubject } from '../kit/contract-rules.js';
import { answers, fires, sets, timer, ends } from './unit-lists/units.js';

interface EffectSubject {
  readonly store: UnitStore;
  readonly effects: EffectStore;
}

const parts = Array.from({ length: partitions }, (_, part) => part);
const forMs = 60_000;
const anyLane = { reach: 128, lanes: new Map<string, number>(), suspect: true, forMs };

/** A request of an effect, in a lane of its own tenant. */
export const request = (tenant = 'acme', isOrdered = false, init: Partial<SetTimer> = {}): SetTimer => {
  const lane = `${isOrdered ? '1' : 'n'}|sms|${tenant}`;
  return timer({ kind: 'effect', name: 'sms', line: lane, context: { lane }, ...init });
};

export const claimAll = async (
  { effects }: Pick<EffectSubject, 'effects'>,
  { room = 100, each = 100, name = 'sms', lanes = new Map<string, number>(), suspect = true } = {},
): Promise<readonly ClaimedEffect[]> =>
  (await effects.claim({ parts, names: [{ name, room, each, hand: '' }], ...anyLane, lanes, suspect }))
    .effects;

/** The contract of a store that hosts claim effects in. */
export function effectStoreContract(test: RunnerTest, withSubject: WithSubject<EffectSubject>): void {
  const rule = contractRules(test, withSubject);
  const stored = (subject: EffectSubject, ...units: Parameters<typeof answers>[1]) =>
    answers({ ...subject, reactions: undefined as never }, units);

  rule('a due request is claimed once, with what it was asked with', async (subject) => {
    const asked = request('acme', false, { key: 'o-1', data: { type: 'SendSms', body: { to: '1' } } });
    await stored(subject, sets(asked), sets(request('acme', false, { due: { inMs: 3_600_000 } })));
    const [claimed, ...others] = await claimAll(subject);
    assert.deepEqual(others, []);
    const { id, name, key, lane, attempts, claims, data, progress } = claimed ?? assert.fail();
    assert.deepEqual(
      { id, name, key, lane, attempts, claims, data, progress },
      {
        id: asked.id,
        name: 'sms',
        key: 'o-1',
        lane: 'n|sms|acme',
        attempts: 0,
        claims: 1,
        data: asked.data,
        progress: undefined,
      },
    );
    assert.deepEqual(await claimAll(subject), []);
  });

  rule('the outcome is stored by who has the claim, and by nobody else', async (subject) => {
    await stored(subject, sets(request()));
    const [claimed] = await claimAll(subject);
    const { id, dueAt } = claimed ?? assert.fail();
    const kept = await subject.effects.beat([{ id, dueAt }], forMs + 1_000);
    assert.deepEqual(await stored(subject, fires({ id, dueAt })), ['timer-gone']);
    assert.deepEqual(await stored(subject, fires({ id, dueAt: kept.get(id) ?? '' })), ['stored']);
    assert.deepEqual([...(await subject.effects.beat([{ id, dueAt: undefined }], forMs))], []);
  });

  rule('a beat after a lost answer finds the claim again', async (subject) => {
    await stored(subject, sets(request()));
    const [{ id } = assert.fail()] = await claimAll(subject);
    const kept = await subject.effects.beat([{ id, dueAt: undefined }], forMs);
    assert.deepEqual(await stored(subject, fires({ id, dueAt: kept.get(id) ?? '' })), ['stored']);
  });

  rule('what is cancelled or replaced is not kept', async (subject) => {
    const [gone, again] = [request(), request()];
    await stored(subject, sets(gone), sets(again));
    const claims = (await claimAll(subject)).map(({ id, dueAt }) => ({ id, dueAt }));
    assert.equal(claims.length, 2);
    await stored(subject, ends(gone.id));
    await stored(subject, sets({ ...again, due: { inMs: 0 } }));
    assert.deepEqual([...(await subject.effects.beat(claims, forMs))], []);
    const afterLostAnswers = claims.map(({ id }) => ({ id, dueAt: undefined }));
    assert.deepEqual([...(await subject.effects.beat(afterLostAnswers, forMs))], []);
    assert.deepEqual(
      (await claimAll(subject)).map(({ id }) => id),
      [again.id],
    );
  });

  rule(
    'a request that failed is tried again later, and counts its attempts; one to try later does not',
    async (subject) => {
      await stored(subject, sets(request()));
      const [first = assert.fail()] = await claimAll(subject);
      assert.equal(await subject.effects.tryAgain(first, { inMs: 0, error: 'busy', attempts: 1 }), true);
      assert.equal(await subject.effects.tryAgain(first, { inMs: 0, error: 'busy', attempts: 1 }), false);
      const [second = assert.fail()] = await claimAll(subject);
      assert.deepEqual([second.attempts, second.claims], [1, 2]);
      assert.equal(
        await subject.effects.tryAgain(second, { inMs: 3_600_000, error: null, attempts: 1 }),
        true,
      );
      assert.deepEqual(await claimAll(subject), []);
    },
  );

  rule('what an attempt keeps is there for the next one', async (subject) => {
    await stored(subject, sets(request()));
    const [first = assert.fail()] = await claimAll(subject);
    const kept = await subject.effects.beat([first], forMs, { part: 3 });
    const held = { id: first.id, dueAt: kept.get(first.id) };
    await subject.effects.tryAgain(held, { inMs: 0, error: null, attempts: 0 });
    assert.deepEqual((await claimAll(subject))[0]?.progress, { part: 3 });
  });

  rule('a parked request waits for an operator', async (subject) => {
    await stored(subject, sets(request()));
    const [claimed = assert.fail()] = await claimAll(subject);
    const because = { error: 'refused: no', attempts: 1, record: undefined };
    assert.equal(await subject.effects.park(claimed, because), true);
    assert.equal(await subject.effects.park(claimed, because), false);
    assert.deepEqual(await claimAll(subject), []);
  });

  rule('no more are claimed than there is room for, of an effect and of each lane', async (subject) => {
    for (const tenant of ['a', 'a', 'a', 'b', 'c']) await stored(subject, sets(request(tenant)));
    const lanesOf = (claimed: readonly ClaimedEffect[]) =>
      claimed
        .map(({ lane }) => lane.slice(-1))
        .toSorted((one, other) => one.localeCompare(other))
        .join('');
    const lanes = new Map([['n|sms|b', 0]]);
    assert.deepEqual(lanesOf(await claimAll(subject, { each: 1, lanes })), 'ac');
    assert.equal((await claimAll(subject, { room: 2 })).length, 2);
    assert.deepEqual(await claimAll(subject, { name: 'mail' }), []);
  });

  rule(
    'in an ordered lane a request holds those behind it, also while it waits or is parked',
    async (subject) => {
      const [first, second] = [request('a', true), request('a', true)];
      await stored(subject, sets(first));
      await stored(subject, sets(second));
      const next = async () => (await claimAll(subject)).at(0);
      const one = (await next()) ?? assert.fail();
      assert.equal(one.id, first.id);
      assert.equal(await next(), undefined);
      await subject.effects.tryAgain(one, { inMs: 0, error: 'busy', attempts: 1 });
      const again = (await next()) ?? assert.fail();
      assert.equal(again.id, first.id);
      await subject.effects.park(again, { error: 'no', attempts: 2, record: undefined });
      assert.equal(await next(), undefined);
      await stored(subject, ends(first.id));
      assert.equal((await next())?.id, second.id);
    },
  );

  for (const suspect of [true, false])
    rule(
      `of requests under whose calls three hosts have ended, ${suspect ? 'one' : 'none beside another one'} is claimed`,
      async (subject) => {
        for (const tenant of ['a', 'a', 'b']) await stored(subject, sets(request(tenant)));
        for (let lost = 0; lost < 3; lost++) {
          const claimed = await claimAll(subject);
          assert.equal(claimed.length, 3);
          await subject.effects.beat(claimed, 0);
        }
        assert.equal((await claimAll(subject, { suspect })).length, suspect ? 1 : 0);
      },
    );

  rule('lanes take turns, however little room there is at a time', async (subject) => {
    const asked = ['a', 'b', 'c'].flatMap((tenant) => [request(tenant), request(tenant)]);
    for (const one of asked) await stored(subject, sets(one));
    let [hand, turns] = ['', ''];
    for (let look = 0; look < asked.length; look++) {
      const names = [{ name: 'sms', room: 1, each: 8, hand }];
      const { effects, hands } = await subject.effects.claim({ parts, names, ...anyLane });
      turns += effects.map(({ lane }) => lane.slice(-1)).join('');
      hand = hands.get('sms') ?? assert.fail();
    }
    assert.deepEqual([turns, hand], ['abcabc', '']);
  });

  rule('an effect does not have to wait for room of another one', async (subject) => {
    for (const tenant of ['a', 'b', 'c']) {
      await stored(subject, sets(request(tenant)));
      const context = { lane: `n|mail|${tenant}` };
      await stored(subject, sets(request(tenant, false, { name: 'mail', context })));
    }
    const names = ['mail', 'sms'].map((name) => ({ name, room: name === 'sms' ? 1 : 9, each: 1, hand: '' }));
    const { effects, hands } = await subject.effects.claim({ parts, names, ...anyLane });
    assert.equal(effects.length, 4);
    assert.deepEqual(Object.fromEntries(hands), { mail: '', sms: 'n|sms|b' });
  });

  rule('timers are no effects', async (subject) => {
    const id = newUuid();
    await stored(subject, sets(timer({ id, name: 'sms' })));
    assert.deepEqual(await claimAll(subject), []);
  });
}
