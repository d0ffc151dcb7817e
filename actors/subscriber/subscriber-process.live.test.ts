import { suite } from '../../contracts/testing/suite.js';
import { expireLeases } from '../testing/killed-hosts.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { until } from '../../runtime/kit/until.js';
import {
  withSubscribers,
  withSubscribersOn,
  stored,
  ownerOf,
  mustBeComplete,
} from '../testing/subscriber-hosts.js';

const test = suite('subscriber process');

for (const failpoint of ['inbox-before-store@2', 'inbox-after-store@2']) {
  test(`a subscriber that dies at ${failpoint} loses nothing, and the next one stores nothing twice`, () =>
    withSubscribers(async ({ database, owner, spawn: start, send }) => {
      const first = start(failpoint);
      await until(async () => (await ownerOf(database)) === first.owner);
      await send(300);
      await send(300);
      await first.ended;
      await expireLeases(owner);
      start();
      await until(async () => (await stored(database)) >= 600);
      await mustBeComplete(database, 600);
    }));
}

test('after a broker was killed and restarted, what is missing is received once', () =>
  withNatsServer((server) =>
    withSubscribersOn(server.url, async ({ database, spawn: start, send }) => {
      start();
      for (let round = 1; round <= 3; round++) {
        await send(200);
        await server.stop('SIGKILL');
        await server.start();
      }
      await until(async () => (await stored(database)) >= 600);
      await mustBeComplete(database, 600);
    }),
  ));
