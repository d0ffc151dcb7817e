import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withListening } from '../testing/spawned-host.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('a broker that refuses a host');

/** What it says about the broker at first, and some attempts later. */
const logOf = (natsUrl: string, laterMs = 0): Promise<string> =>
  new Promise((resolve, reject) => {
    withStore((database) =>
      withFolder((folder) =>
        withListening(
          ['start', 'examples/orders'],
          { DATABASE_URL: database, NATS_URL: natsUrl, SVC_DATA_DIR: folder, SVC_NAME: 'north' },
          async ({ output }) => {
            const lines = () => output.stdout.filter((line) => line.includes('NATS cannot be used')).join('');
            await until(() => lines() !== '');
            await delay(laterMs);
            resolve(lines());
          },
        ),
      ),
    ).catch(reject);
  });

test('the log states the reason and the fix once, without the password', () =>
  withNatsServer(
    async ({ url }) => {
      const wrong = Object.assign(new URL(url), { username: 'ada', password: 'guessed' }).href;
      const output = await logOf(wrong, 1_000);
      assert.match(output, /it rejected the credentials; check the user and the password of NATS_URL/);
      assert.is(output.split('NATS cannot be used').length, 2, 'one line');
      assert.not.match(output, /guessed/);
    },
    ['--user', 'ada', '--pass', 'p@ss'],
  ));

test('a host name that cannot be resolved is reported', async () => {
  const output = await logOf('nats://ada:guessed@no-such-broker.invalid:4222');
  assert.match(
    output,
    /its name cannot be resolved; check the host of NATS_URL \([^"]*no-such-broker\.invalid\)/,
  );
  assert.not.match(output, /guessed/);
});
