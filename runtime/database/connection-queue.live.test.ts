import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { withProxy } from '../testing/network-proxy.js';
import { openDatabase } from './database.js';
import { forFollowers } from './for-followers.js';

const test = suite('connections to a slow database');

test('no statement is refused because others wait for a connection, and commands come before followers', () =>
  withDatabase((url) =>
    withProxy(url, async (line) => {
      const database = openDatabase({ url: line.url, connections: 2 });
      await database.rows({ text: 'SELECT 1' });
      line.slow(200);
      const followers = forFollowers(database);
      let followed = 0;
      const reads = Array.from({ length: 52 }, async () => {
        await followers.rows({ text: 'SELECT 1' });
        followed++;
      });
      const commands = Array.from({ length: 4 }, () => database.rows({ text: 'SELECT 1' }));
      await Promise.all(commands);
      assert.ok(followed <= 4, `${followed} followers were served before four commands`);
      await Promise.all(reads);
      assert.is(followed, 52);
      await database.close();
    }),
  ));
