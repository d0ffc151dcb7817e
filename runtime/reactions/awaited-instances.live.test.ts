import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { notify } from '../database/notify.js';
import { partOf } from '../lang/part-of.js';
import { until } from '../kit/until.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { AwaitedInstances, type InstanceNow } from './awaited-instances.js';

const test = suite('awaited instances');

interface Scene {
  readonly instances: AwaitedInstances;
  /** Moves an instance as a commit does. */
  readonly move: (state: string, keys?: readonly string[]) => Promise<void>;
  readonly owner: Database;
  readonly asked: () => number;
  /** How many instances its queries returned. */
  readonly sent: () => number;
}

const withInstances = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const database = connect();
    let [asked, sent] = [0, 0];
    const counting: Pick<Database, 'rows'> = {
      rows: async (statement) => {
        asked++;
        const rows = await database.rows(statement);
        sent += rows.length;
        return rows;
      },
    };
    const instances = new AwaitedInstances({
      database: counting,
      notifications: new Notifications(database),
    });
    const move = async (state: string, keys: readonly string[] = ['a']): Promise<void> => {
      await owner.rows({
        text: `INSERT INTO svc_processes AS p (name, key, tenant, revision, version, state, status, snapshot, trail, started_at, updated_at)
          SELECT 'f', k, 'north', 1, 1, $2, 'running', '{"context":{"n":1}}', '[]', now(), now() FROM unnest($1::text[]) k
          ON CONFLICT (name, key) DO UPDATE SET revision = p.revision + 1, state = excluded.state`,
        values: [keys, state],
      });
      await notify(owner, 'svc');
    };
    try {
      await body({ instances, move, owner, asked: () => asked, sent: () => sent });
    } finally {
      instances.stop();
    }
  });

const isIn =
  (state: string) =>
  (now: InstanceNow): boolean =>
    now.state === state;
const never = new AbortController().signal;

test('who waits is answered when the instance exists and is as awaited, and sees it as it is', () =>
  withInstances(async ({ instances, move }) => {
    const waiting = instances.wait('f', 'a', isIn('paid'), never);
    await move('open');
    await move('paid');
    const now = await waiting;
    assert.equal(
      [now?.state, now?.status, now?.tenant, now?.context],
      ['paid', 'running', 'north', { n: 1 }],
    );
    assert.is((await instances.wait('f', 'a', isIn('paid'), never))?.state, 'paid', 'it is there already');
    assert.is(await instances.read('f', 'b'), undefined);
  }));

test('500 who wait cost one query for each wake-up, and nothing once all are answered', () =>
  withInstances(async ({ instances, move, asked }) => {
    const keys = Array.from({ length: 500 }, (_, n) => `k${n}`);
    await move('open', keys);
    const waiting = keys.map((key) => instances.wait('f', key, isIn('paid'), never));
    await until(() => asked() > 0);
    const before = asked();
    for (let n = 0; n < 5; n++) await move('open', keys);
    await move('paid', keys);
    assert.is((await Promise.all(waiting)).length, 500);
    // Each of them notifies once; when nothing does, it is looked once a second.
    assert.ok(asked() - before <= 12, `${asked() - before} queries`);
  }));

test('an instance whose key is parked counts as parked, whatever its own status is', () =>
  withInstances(async ({ instances, move, owner }) => {
    await move('open');
    const waiting = instances.wait('f', 'a', ({ status }) => status !== 'running', never);
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts) VALUES ($1, 'a', 7, 'parked', 1)`,
      values: [`process/f/${partOf('a')}`],
    });
    await notify(owner, 'svc');
    assert.is((await waiting)?.status, 'parked');
  }));

test('of an instance that stays parked nothing is read again until it moves', () =>
  withInstances(async ({ instances, move, owner, asked, sent }) => {
    await move('open');
    await owner.rows({ text: `UPDATE svc_processes SET status = 'parked'` });
    const waiting = instances.wait('f', 'a', isIn('paid'), never);
    await until(() => sent() === 1);
    for (let round = 0; round < 3; round++) {
      const before = asked();
      await notify(owner, 'svc');
      await until(() => asked() > before);
    }
    assert.is(sent(), 1);
    await owner.rows({ text: `UPDATE svc_processes SET status = 'running'` });
    await move('paid');
    assert.is((await waiting)?.status, 'running');
  }));

test('when its time is over, or the host stops, who waits gets what was seen last', () =>
  withInstances(async ({ instances, move }) => {
    await move('open');
    const ending = new AbortController();
    const waiting = ['a', 'b'].map((key) => instances.wait('f', key, isIn('paid'), ending.signal));
    const stopped = instances.wait('f', 'a', isIn('paid'), never);
    await move('still open');
    const seen = await instances.wait('f', 'a', isIn('still open'), never);
    ending.abort();
    assert.equal(await Promise.all(waiting), [seen, undefined]);
    instances.stop();
    assert.equal(await stopped, seen);
    assert.equal((await instances.wait('f', 'a', isIn('paid'), never))?.state, 'still open');
  }));
