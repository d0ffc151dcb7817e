import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { postgresLeases } from '../leases/postgres-leases.js';
import { openRebuilds, acquireRebuild } from '../perspectives/rebuild/rebuild-record.js';
import { requestRebuild } from '../perspectives/rebuild/rebuild-request.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('leases on database time');

/** Longer than a busy machine takes for two statements. */
const leaseMs = 60_000;

/** Asks for a lease, and returns whether it holds it. */
type Asker = () => Promise<boolean>;

interface Scene {
  readonly database: Database;
  readonly owner: Database;
}

const askers: Readonly<Record<string, (scene: Scene) => Asker>> = {
  'the outbox': ({ database }) => {
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    return async () => (await outbox.acquireLease(leaseMs)).held;
  },
  'the inbox': ({ database }) => {
    const inbox = postgresInbox(database, newUuid());
    return async () => (await inbox.acquireLease(leaseMs)).held;
  },
  'a perspective': ({ database }) => {
    const leases = postgresLeases(database, {
      owner: newUuid(),
      name: 'host',
      version: '1',
      broadcast: false,
    });
    return async () => (await leases.turn([{ names: ['shelf'], share: 1 }], leaseMs, [])).held.has('shelf');
  },
  'a rebuild': ({ owner }) => {
    const worker = newUuid();
    return async () => {
      const [open] = await openRebuilds(owner);
      return open !== undefined && (await acquireRebuild(owner, open.id, worker)) !== undefined;
    };
  },
};

const withLeases = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const table = { table: 'shelf', name: 'shelf' };
    await requestRebuild(owner, table, { mode: RebuildMode.BlueGreen });
    await body({ database: connect(), owner });
  });

/** Equivalent to a clock that is set back. */
const moveClockBack = async (owner: Database, by: string): Promise<void> => {
  for (const table of ['svc_leases', 'svc_rebuilds'])
    await owner.rows({ text: `UPDATE ${table} SET lease_until = lease_until + interval '${by}'` });
};

for (const [name, asker] of Object.entries(askers)) {
  test(`the lease of ${name} is free at once after the clock was set back by an hour, and then held`, () =>
    withLeases(async (scene) => {
      const [first, second] = [asker(scene), asker(scene)];
      assert.equal([await first(), await second()], [true, false]);
      await moveClockBack(scene.owner, '1 hour');
      assert.equal([await second(), await first(), await second()], [true, false, true]);
    }));

  test(`the lease of ${name} can be acquired after the clock was set back by a year`, () =>
    withLeases(async (scene) => {
      const [first, second] = [asker(scene), asker(scene)];
      await first();
      await moveClockBack(scene.owner, '1 year');
      assert.ok(await second());
    }));

  test(`the lease of ${name} stays held after the clock was set back by a second`, () =>
    withLeases(async (scene) => {
      const [first, second] = [asker(scene), asker(scene)];
      await first();
      await moveClockBack(scene.owner, '1 second');
      assert.equal([await second(), await first()], [false, true]);
    }));
}
