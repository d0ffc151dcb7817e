import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import type { ListedStore } from '../../runtime/trust/stores.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('svc stores');

type Run = (...args: string[]) => ReturnType<typeof svcInProcess>;

const withStores = (body: (run: Run, owner: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const env = { DATABASE_URL: url, SVC_ACTOR: 'boss' };
    await body((...args) => svcInProcess(['stores', ...args], env), connect({ owner: true }));
  });

const waitFor = (owner: Database, store: string) =>
  owner.rows({ text: 'SELECT svc_note_waiting($1, 7)', values: [store] });

test('a waiting store is listed, trusted and forgotten, and each decision is recorded', () =>
  withStores(async (run, owner) => {
    const store = newUuid();
    const key = 'ab'.repeat(32);
    assert.is((await run('list')).stdout, 'No other store has sent anything.\n');
    await waitFor(owner, store);
    const waiting = `^${store}  waiting; 7 messages passed over; last seen 2`;
    assert.match((await run('list')).stdout, new RegExp(waiting));
    const trusted = await run('trust', store, '--reason', 'the new warehouse', '--key', key);
    assert.equal([trusted.code, trusted.stdout], [0, `${store} is trusted.\n`]);
    const again = await run('trust', store, '--reason', 'again', '--json');
    assert.equal(JSON.parse(again.stdout), { storeId: store, state: 'trusted', changed: false });
    const listed = JSON.parse((await run('list', '--json')).stdout) as ListedStore[];
    const rest = { signs: false, records: 0, missing: 0, unconfirmed: 0, dropped: 0, passedOver: 0 };
    assert.equal(listed, [{ storeId: store, state: 'trusted', trustedBy: 'boss', publicKey: key, ...rest }]);
    assert.match((await run('list')).stdout, `${store}  trusted, by boss; key ${key.slice(0, 16)}…`);
    assert.is((await run('forget', store, '--reason', 'closed')).stdout, `${store} is forgotten.\n`);
    assert.match((await run('list')).stdout, `${store}  forgotten; no key`);
    const rows = await owner.rows({
      text: `SELECT event_type, data ->> 'actor', data ->> 'reason', data ->> 'how', data ->> 'publicKey', data ->> 'target'
        FROM svc_system_stream ORDER BY stream_position`,
    });
    assert.equal(rows, [
      ['StoreTrusted', 'boss', 'the new warehouse', 'operator', key, null],
      ['OperatorActed', 'boss', 'closed', null, null, store],
    ]);
  }));

test('what is missing from a received system stream is listed', () =>
  withStores(async (run, owner) => {
    await owner.rows({
      text: `INSERT INTO svc_origins(origin, store, records, first_position, last_position, head_position)
        VALUES (1, $1, 5, 11, 15, 20)`,
      values: [newUuid()],
    });
    assert.match((await run('list')).stdout, 'trusted, pinned; no key; 5 records; 5 missing; head 20');
  }));

for (const [args, problem] of [
  [[], 'Give one action'],
  [['trust', 'kitchen', '--reason', 'r'], 'is not the id of a store'],
  [['trust', newUuid()], 'Give a --reason to trust a store'],
  [['trust', newUuid(), '--reason', 'r', '--key', 'abc'], '--key must be 64 hexadecimal digits'],
  [['list', '--reason', 'r'], '--reason is not an option of list'],
] as const)
  test(`svc stores ${args.slice(0, 1).join('')} is refused in one line: ${problem}`, () =>
    withStores(async (run) => {
      const { code, stderr } = await run(...args);
      assert.is.not(code, 0);
      assert.match(stderr, problem);
      assert.is(stderr.trim().split('\n').length, 1);
    }));

test('a store does not trust itself', () =>
  withStores(async (run, owner) => {
    const [[own] = []] = await owner.rows({ text: 'SELECT id FROM svc_store' });
    const { code, stderr } = await run('trust', own ?? '', '--reason', 'r');
    assert.is.not(code, 0);
    assert.match(stderr, 'This is the store itself');
  }));
