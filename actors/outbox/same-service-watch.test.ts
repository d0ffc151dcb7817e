import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { LastSender } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { startSameServiceWatch } from './same-service-watch.js';

const test = suite('another store of the same service');

const [ours, theirs] = [newUuid(), newUuid()];

async function textFor(last: Partial<LastSender> | undefined): Promise<string | undefined> {
  const asked: string[] = [];
  const watch = startSameServiceWatch(
    {
      transport: {
        lastSender: (destination) => {
          asked.push(destination);
          const found = { service: 'orders', store: theirs, ageMs: 1_000, ...last };
          return Promise.resolve(last === undefined ? undefined : found);
        },
      },
      isRelaying: () => true,
      destinations: ['svc.events.OrderCreated', 'svc.events.OrderShipped'],
      service: 'orders',
      store: ours,
      namespace: 'svc',
    },
    { pollMs: 1, repeatMs: 1 },
  );
  try {
    await until(() => asked.length > 4);
    return watch.text;
  } finally {
    watch.stop();
  }
}

test('one that published within two minutes is named, with what to do', async () => {
  assert.match(
    (await textFor({})) ?? '',
    new RegExp(`^The store ${theirs} also publishes as orders in the namespace svc; .*another SVC_NAMESPACE`),
  );
});

test('the own store, another service, one that is silent for two minutes and one without an id are not', async () => {
  for (const last of [
    undefined,
    { store: ours },
    // Any publisher can write it.
    { store: 'any text' },
    { service: 'shop' },
    { service: undefined },
    { ageMs: 120_000 },
  ])
    assert.is(await textFor(last), undefined);
});
