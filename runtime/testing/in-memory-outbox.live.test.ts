import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Outbox, PendingMessage, Replay } from '../outbox/outbox.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { InMemoryOutbox } from './in-memory-outbox.js';
import { withFakeTimeouts } from './fake-timeouts.js';
import { withMigratedDatabase } from './migrated-database.js';
import { event, unit } from './unit-lists/units.js';

const test = suite('in-memory and postgres outbox');

const hourMs = 3_600_000;
const head = 6;
const position = fc.integer({ min: 1, max: head });
const host = fc.nat({ max: 1 });

/** In small numbers, so that two relays meet often. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('lease'), host }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('advance'),
      host,
      by: fc.integer({ min: -1, max: 3 }),
      isWrong: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('refuse'), host, position, inHours: fc.nat({ max: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('bury'), host, position }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('replay'), position }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('replayed'), host, position }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pass') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One of the two outboxes. */
interface Side {
  readonly hosts: readonly Outbox[];
  /** As an operator does. */
  readonly replay: (at: number) => Promise<unknown>;
  readonly pass: () => unknown;
}

test('any leases, moves, refusals and replays of two relays get the same answers from both', () =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const owner = migrated.connect({ owner: true });
    const log = migrated.openStore();
    for (let n = 0; n < head; n++) await log.commit(unit({ events: [event()] }));
    const theirs = [newUuid(), newUuid()].map((id) => postgresOutbox(database, id, newUuid()));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        for (const text of fresh) await owner.rows({ text });
        const memory = new InMemoryOutbox();
        memory.append('bakery', head);
        const postgres: Side = {
          hosts: theirs,
          replay: (at) => owner.rows({ text: replaying, values: [at] }),
          pass: () => owner.rows({ text: passing }),
        };
        const expected: unknown[] = [];
        const cursors = [0, 0] as const;
        const [at, there] = [[...cursors], [...cursors]];
        for (const one of steps) expected.push(await answerOf(postgres, one, at));
        await withFakeTimeouts(async (clock) => {
          const inMemory: Side = {
            hosts: ['north', 'south'].map((name) => memory.heldBy(name)),
            replay: async (dead) => void (memory.dead.has(dead) && memory.replaying.add(dead)),
            pass: () => clock.advance(hourMs),
          };
          for (const [index, one] of steps.entries()) {
            clock.advance(1);
            assert.equal(await answerOf(inMemory, one, there), expected[index], JSON.stringify(one));
          }
        });
      }),
      { numRuns: 500 },
    );
  }));

const fresh = [
  "UPDATE svc_progress SET position = 0 WHERE name = 'outbox'",
  "UPDATE svc_leases SET owner = NULL, lease_until = '-infinity' WHERE name = 'outbox'",
  'DELETE FROM svc_stuck_work',
];
const replaying = `UPDATE svc_stuck_work SET state = 'retrying' WHERE position = $1 AND id IS NOT NULL AND state = 'parked'`;
const passing = `WITH waiting AS (UPDATE svc_stuck_work SET next_attempt_at = next_attempt_at - interval '1 hour')
  UPDATE svc_leases SET lease_until = lease_until - interval '1 hour' WHERE isfinite(lease_until)`;

/** What a call answers, and what waits afterwards. */
async function answerOf(side: Side, one: Step, cursors: number[]): Promise<unknown> {
  const index = 'host' in one ? one.host : 0;
  const outbox = side.hosts[index] ?? (assert.unreachable('there are two') as never);
  const answer = await called(side, outbox, one, cursors);
  const waiting = (await outbox.page(0, head)).map(seenIn);
  const replays = (await outbox.pendingReplays()).map((replay) => replay.position).toSorted((a, b) => a - b);
  return { answer, waiting, replays };
}

async function called(side: Side, outbox: Outbox, one: Step, cursors: number[]): Promise<unknown> {
  const index = 'host' in one ? one.host : 0;
  const cursor = cursors[index] ?? 0;
  switch (one.does) {
    case 'lease': {
      const lease = await outbox.acquireLease(2 * hourMs);
      if (!lease.held) return [Math.round(lease.remainingMs / hourMs)];
      cursors[index] = lease.position;
      return [lease.position, lease.head, lease.hasReplays, Math.round(lease.remainingMs / hourMs)];
    }
    case 'advance': {
      const to = Math.min(head, cursor + one.by);
      const moved = await outbox.advance(one.isWrong ? cursor + 1 : cursor, to, 2 * hourMs);
      if (moved) cursors[index] = to;
      return moved;
    }
    case 'refuse':
      return outbox.recordRejection(messageAt(one.position), rejection, one.inHours * hourMs);
    case 'bury':
      return outbox.deadLetter(messageAt(one.position), rejection);
    case 'replay':
      return void (await side.replay(one.position));
    case 'replayed': {
      const replay = (await outbox.pendingReplays()).find((each) => each.position === one.position);
      return replay === undefined ? undefined : outbox.markReplayed(replay);
    }
    case 'pass':
      return void (await side.pass());
  }
}

const rejection = { attempts: 3, error: 'RangeError: not now', fingerprint: '0123456789ab' };
const messageAt = (at: number): Replay => ({ position: at }) as Replay;

const seenIn = ({ position: at, attempts, dueInMs }: PendingMessage): readonly number[] => [
  at,
  attempts,
  Math.round(dueInMs / hourMs),
];
