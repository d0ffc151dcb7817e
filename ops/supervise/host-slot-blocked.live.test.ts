import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import {
  impatient,
  isAlive,
  misbehavingApp,
  pids,
  replacedAfterMs,
  withSupervisor,
} from '../testing/spawned-supervisor.js';

const test = suite('host slot');

const act = (url: string, mood: string) => post(url, { mood }, { path: '/act' });

test('a host whose event loop is blocked is soon killed and replaced, and the other keeps serving', () =>
  withStore((url) =>
    withSupervisor(
      { env: { DATABASE_URL: url, ...impatient }, source: misbehavingApp() },
      async (supervisor) => {
        const before = pids(await supervisor.status());
        const stuck = act(supervisor.url, 'stuck').catch((error: unknown) => error);
        // Before, the same host might accept both.
        await supervisor.untilLogged('"stuck"');
        const served = await act(supervisor.url, 'calm');
        assert.is(served.status, 200);
        assert.instance(await stuck, Error, 'its connection is lost with its host');
        const tookMs = await replacedAfterMs(supervisor, ...before);
        assert.ok(tookMs < supervisor.replacedWithinMs, `it took ${tookMs} ms`);
        const { hosts } = await supervisor.status();
        assert.match(JSON.stringify(hosts), /because its event loop was blocked/);
        assert.equal(before.filter(isAlive).length, 1);
      },
    ),
  ));
