import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('the epochs of another store');

interface Origin {
  /** Receives a message with these headers: 1 current, 3 held from now on, 4 of an earlier epoch. */
  readonly receive: (epoch: number, position: number, forks: string) => Promise<string>;
  readonly release: () => Promise<unknown>;
}

const withOrigin = (body: (origin: Origin) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const [owner, store] = [connect({ owner: true }), newUuid()];
    await owner.rows({
      text: 'INSERT INTO svc_origins(origin, store, first_seen) VALUES (7, $1, now())',
      values: [store],
    });
    await owner.rows({
      text: "INSERT INTO svc_leases(name, owner) VALUES ('inbox', $1) ON CONFLICT (name) DO UPDATE SET owner = $1",
      values: [store],
    });
    await body({
      receive: async (epoch, position, forks) => {
        const [row] = await connect().rows({
          text: "SELECT r_status FROM svc_receive_epochs($1, ARRAY[$1::uuid], ARRAY[$2::int], ARRAY[$3::bigint], ARRAY[$4], '{}', '{}')",
          values: [store, epoch, position, forks],
        });
        return row?.[0] ?? '';
      },
      release: () => connect().rows({ text: 'SELECT svc_release_origin($1)', values: [store] }),
    });
  });

test('a receiver that was away during two epochs takes the next one if it holds nothing beyond either fork', () =>
  withOrigin(async ({ receive }) => {
    assert.is(await receive(1, 150, ''), '{1}');
    assert.is(await receive(3, 210, '2:150 3:200'), '{1}');
    assert.is(await receive(3, 211, '2:150 3:200'), '{1}');
  }));

test('it holds the store if it has events beyond one of the forks', () =>
  withOrigin(async ({ receive }) => {
    assert.is(await receive(1, 180, ''), '{1}');
    assert.is(await receive(3, 210, '2:150 3:200'), '{3}');
  }));

test('a server that is promoted right after another may begin the same epoch again: its fork shows it', () =>
  withOrigin(async ({ receive, release }) => {
    assert.is(await receive(1, 100, ''), '{1}');
    assert.is(await receive(2, 110, '2:100'), '{1}');
    assert.is(await receive(2, 112, '2:105'), '{3}', 'what was received from 106 on is lost');
    await release();
    assert.is(await receive(2, 113, '2:105'), '{1}');
    assert.is(await receive(2, 114, '2:105'), '{1}');
  }));

test('of which nothing beyond the fork was received, it goes on', () =>
  withOrigin(async ({ receive }) => {
    assert.is(await receive(2, 104, '2:100'), '{1}');
    assert.is(await receive(2, 112, '2:105'), '{1}');
    assert.is(await receive(2, 113, '2:105'), '{1}');
  }));

test('after more epochs than a message lists, nobody knows where they forked: the store is held', () =>
  withOrigin(async ({ receive }) => {
    const forks = (from: number, to: number): string =>
      Array.from({ length: to - from + 1 }, (_, n) => `${from + n}:${(from + n) * 100}`).join(' ');
    assert.is(await receive(1, 180, ''), '{1}');
    assert.is(await receive(12, 1_300, forks(5, 12)), '{3}');
  }));

test('an epoch that a restored store has left out is no gap', () =>
  withOrigin(async ({ receive }) => {
    assert.is(await receive(1, 100, ''), '{1}');
    assert.is(await receive(4, 106, '4:105'), '{1}');
  }));
