import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { ClaimAnswer, EffectStore, HeldClaim } from '../../contracts/effect-store.js';
import { partitions } from '../../contracts/reaction-store.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresEffectStore } from '../effects/postgres-effect-store.js';
import { hostOf, leaseAll } from '../testing/effect-host.js';
import { request } from '../testing/effect-store-contract.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { ends, fires, sets } from '../testing/unit-lists/units.js';
import { Problem } from '../../contracts/problems.js';
import { microsOf, timestampOfMicros } from '../store/micros.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

const test = suite('in-memory and postgres effects');

const hourMs = 3_600_000;
const everyPart = Array.from({ length: partitions }, (_, part) => part);

const few = fc.nat({ max: 3 });
/** In small numbers, so that everything collides often. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('ask'),
      id: few,
      tenant: few,
      isOrdered: fc.boolean(),
      inHours: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('claim'),
      host: fc.nat({ max: 1 }),
      room: few,
      each: few,
      busy: few,
      left: few,
      hand: few,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('beat'),
      host: fc.nat({ max: 1 }),
      id: few,
      isLost: fc.boolean(),
      keeps: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('try again'),
      host: fc.nat({ max: 1 }),
      id: few,
      inHours: fc.nat({ max: 1 }),
      attempts: few,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('park'), host: fc.nat({ max: 1 }), id: few, attempts: few }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end'), id: few }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('fire'), host: fc.nat({ max: 1 }), id: few }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('others'), host: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pass'), hours: fc.integer({ min: 1, max: 3 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One of the two stores, with its two hosts and what each of them has claimed. */
interface Side {
  readonly store: Pick<UnitStore, 'commit'>;
  readonly hosts: readonly EffectStore[];
  readonly claims: readonly Map<Uuid, HeldClaim>[];
  readonly pass: (hours: number) => Promise<unknown>;
}

test('any requests, claims, beats and failures get the same answers from both', () =>
  withMigratedDatabase(async (migrated) => {
    const { database, owner } = await hostOf(migrated);
    const store = migrated.openStore();
    const connection = migrated.connect();
    // Both may claim: the leases change hands before each of their steps.
    const owners = [owner, newUuid()];
    const theirs = owners.map((id) =>
      postgresEffectStore(connection, { owner: id, name: 'one', version: '1' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        await database.rows({ text: 'DELETE FROM svc_timers' });
        const ids = [newUuid(), newUuid(), newUuid(), newUuid()];
        let now = Date.UTC(2026, 0, 1);
        const memory = new InMemoryEventStore({ now: () => now });
        const claims = () => owners.map(() => new Map<Uuid, HeldClaim>());
        const claimed = claims();
        const sides: readonly Side[] = [
          {
            store,
            hosts: theirs,
            claims: claimed,
            pass: async (hours) => {
              await database.rows({ text: passing, values: [hours] });
              for (const held of claimed)
                for (const [id, claim] of held) held.set(id, { id, dueAt: earlier(claim.dueAt, hours) });
            },
          },
          {
            store: memory,
            hosts: owners.map((id) => memory.effects.of(id, () => true)),
            claims: claims(),
            pass: async (hours) => (now += hours * hourMs),
          },
        ];
        for (const one of steps) {
          now++;
          if ('host' in one) await leaseAll(database, owners[one.host] ?? '');
          const [postgres, inMemory] = [await answer(sides[0], one, ids), await answer(sides[1], one, ids)];
          assert.equal(inMemory, postgres, JSON.stringify(one));
        }
      }),
      { numRuns: 500 },
    );
  }));

/** Moves everything that waits into the past. */
const passing = `UPDATE svc_timers SET due_at = due_at - $1::int * interval '1 hour', set_at = set_at - $1::int * interval '1 hour'`;

const earlier = (time: Timestamp | undefined, hours: number): Timestamp | undefined =>
  time === undefined ? undefined : timestampOfMicros(microsOf(time) - BigInt(hours * hourMs) * 1_000n);

async function answer(side: Side | undefined, one: Step, ids: readonly Uuid[]): Promise<unknown> {
  const { store, hosts, claims, pass } = side ?? missing();
  const index = 'host' in one ? one.host : 0;
  const [host, held] = [hosts[index] ?? missing(), claims[index] ?? missing()];
  const id = ('id' in one ? ids[one.id] : undefined) ?? '';
  const claim = held.get(id) ?? { id, dueAt: '2026-01-01T00:00:00.000000Z' };
  switch (one.does) {
    case 'ask': {
      const { tenant, isOrdered, inHours } = one;
      const init = { id, key: id, due: { inMs: inHours * hourMs } };
      return committed(store, sets(request(`t-${tenant}`, isOrdered, init)));
    }
    case 'claim': {
      const { room, each, busy, left, hand } = one;
      const lanes = new Map([[`n|sms|t-${busy}`, left]]);
      const found = await host.claim({
        parts: everyPart,
        names: [{ name: 'sms', room, each, hand: hand === 0 ? 'n|sms|t-1' : '' }],
        reach: 1 + each,
        lanes,
        suspect: left > 0,
        forMs: 2 * hourMs,
      });
      for (const { id: got, dueAt } of found.effects) held.set(got, { id: got, dueAt });
      return seenIn(found);
    }
    case 'beat': {
      const { isLost, keeps } = one;
      const asked = isLost ? { id, dueAt: undefined } : claim;
      const kept = await host.beat([asked], 2 * hourMs, keeps === 0 ? { at: keeps } : undefined);
      for (const [got, dueAt] of kept) held.set(got, { id: got, dueAt });
      return [...kept.keys()];
    }
    case 'try again': {
      const { inHours, attempts } = one;
      return host.tryAgain(claim, {
        inMs: inHours * hourMs,
        error: attempts === 0 ? null : 'busy',
        attempts,
      });
    }
    case 'park':
      return host.park(claim, { error: 'refused: no', attempts: 1, record: undefined });
    case 'end':
      return committed(store, ends(id));
    case 'fire':
      return committed(store, fires({ id, dueAt: claim.dueAt ?? '2026-01-01T00:00:00.000000Z' }));
    case 'others': {
      const others = await host.othersInFlight(everyPart, ['sms']);
      return others.map(({ count, endsInMs }) => [count, Math.round(endsInMs / hourMs)]);
    }
    case 'pass':
      return void (await pass(one.hours));
  }
}

const missing = (): never => assert.unreachable('there are two') as never;

const committed = (store: Pick<UnitStore, 'commit'>, unit: Unit): Promise<string> =>
  store.commit(unit).then(
    () => 'stored',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );

const seenIn = ({ effects, hands, nextInMs }: ClaimAnswer) => ({
  effects: effects
    .map(({ id, lane, attempts, claims, ageMs, progress }) =>
      JSON.stringify([id, lane, attempts, claims, Math.round(ageMs / hourMs), progress]),
    )
    .toSorted(),
  hands: [...hands].filter(([, hand]) => hand !== ''),
  nextInHours: nextInMs === undefined ? undefined : Math.round(nextInMs / hourMs),
});
