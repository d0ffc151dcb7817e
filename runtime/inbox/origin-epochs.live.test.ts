import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import type { Inbox } from './inbox.js';
import { postgresInbox } from './postgres-inbox.js';

const test = suite('epochs of other stores');

interface Scene {
  readonly inbox: Inbox;
  readonly database: Database;
  readonly store: string;
  /** What is found about a message of the store. */
  readonly note: (epoch: number, position: number, forks?: string) => Promise<unknown>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    const store = newUuid();
    await inbox.acquireLease(600_000);
    await inbox.admitStore(store, 600_000);
    const note = async (epoch: number, position: number, forks = '') => {
      const results = await inbox.noteEpochs([{ store, epoch, position, forks }]);
      return results === 'lost' ? results : results[0];
    };
    await body({ inbox, database, store, note });
  });

const current = { is: 'current' };

test('a store that was promoted without a loss is received as before', () =>
  withScene(async ({ note }) => {
    assert.equal([await note(1, 7), await note(1, 9)], [current, current]);
    assert.equal(await note(2, 10, '2:9'), current);
    assert.equal(await note(2, 11, '2:9'), current);
    assert.equal(await note(1, 8), { is: 'earlier', fork: 9 });
  }));

test('a store that lost what we hold is held from its new epoch on, until it is released', () =>
  withScene(async ({ note, database, store }) => {
    await note(1, 9);
    assert.equal(await note(2, 8, '2:7'), { is: 'held', fork: 7, heldTo: 9, isFresh: true });
    assert.equal(await note(2, 9, '2:7'), { is: 'held', fork: 7, heldTo: 9, isFresh: false });
    const release = async () =>
      (await database.rows({ text: 'SELECT svc_release_origin($1)', values: [store] }))[0]?.[0];
    assert.equal([await release(), await release()], ['t', 'f']);
    assert.equal(await note(2, 8, '2:7'), current);
  }));

test('a loss in an epoch of which nothing was received counts too', () =>
  withScene(async ({ note }) => {
    await note(1, 9);
    assert.equal(await note(3, 40, '2:7 3:30'), { is: 'held', fork: 7, heldTo: 9, isFresh: true });
  }));

test('an origin that was received before epochs were sent is believed at first', () =>
  withScene(async ({ note }) => {
    assert.equal(await note(4, 20, '2:7 3:9 4:12'), current);
  }));

test('a store that is not known is asked about again later, and without the lease nothing is noted', () =>
  withScene(async ({ inbox, database }) => {
    const group = { store: newUuid(), epoch: 1, position: 1, forks: '' };
    assert.equal(await inbox.noteEpochs([group]), [{ is: 'unknown' }]);
    assert.is(await postgresInbox(database, newUuid()).noteEpochs([group]), 'lost');
  }));

test.run();
