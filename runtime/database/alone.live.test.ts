import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { alone } from './alone.js';

const test = suite('what must not run twice at a time');

test('the second of a kind is refused on one line, another kind runs, and the end of the first lets the next one run', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [one, other] = [connect(), connect()];
    const run = (): Promise<string> => Promise.resolve('ran');
    await alone(one, 'archive', async () => {
      assert.match(
        await alone(other, 'archive', run).catch(String),
        /Another command archives or attaches segments of this store; wait until it has ended/,
      );
      assert.is(await alone(other, 'move', run), 'ran');
    });
    assert.is(await alone(other, 'archive', run), 'ran');
  }));

test('the statements of the body wait for locks as long as they need', () =>
  withMigratedDatabase(async ({ connect }) => {
    const timeout = (session: Parameters<Parameters<typeof alone>[2]>[0]) =>
      session.rows({ text: 'SHOW lock_timeout' });
    const database = connect();
    const [row] = await database.rows({ text: 'SHOW lock_timeout' });
    assert.equal(await alone(database, 'import', timeout), [row]);
  }));
