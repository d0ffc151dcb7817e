import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Transport, TransportUnreachable } from '../../contracts/transport.js';
import { loginTo } from '../testing/nats-login.js';
import { withNatsServer } from '../testing/nats-server.js';
import { withNatsTransport } from '../testing/reachable.js';
import { withFolder } from '../kit/temporary-folder.js';
import { aMessage, failureOf } from '../kit/transport-contract.js';

const test = suite('nats transport');

/** A broker with this configuration, in which there is room for 1 MB. */
const withSmallBroker = (config: string, body: (url: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const path = join(folder, 'nats.conf');
    await writeFile(path, config);
    await withNatsServer(
      ({ url }) => body(Object.assign(new URL(url), { username: 'ada', password: 'p' }).href),
      ['-c', path],
    );
  });

const half = () => aMessage('Baked', 1, { text: 'x'.repeat(400_000) });

async function fill(transport: Transport): Promise<unknown> {
  for (let n = 0; n < 10; n++) {
    const failure = await failureOf(transport.publish(half()));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

const user = 'users: [{ user: ada, password: p }]';

for (const [whose, config] of [
  ['an account', `jetstream {}\naccounts { A { ${user}, jetstream { max_file: 1MB, max_mem: 1MB } } }`],
  ['the broker', `jetstream { max_file: 1MB, max_mem: 1MB }\nauthorization { ${user} }`],
] as const)
  test(`when the storage of ${whose} is full, messages wait, and are accepted once there is room`, () =>
    withSmallBroker(config, (url) =>
      withNatsTransport(url, async (transport) => {
        assert.instance(await fill(transport), TransportUnreachable);
        const operator = await connect(loginTo(url));
        await (await operator.jetstreamManager()).streams.purge('SVC_EVENTS');
        await operator.close();
        await transport.publish(half());
      }),
    ));
