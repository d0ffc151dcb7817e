import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../contracts/system-event-options.js';
import { type OutboundMessage, TransportUnreachable } from '../contracts/transport.js';
import { newUuid } from '../contracts/uuid.js';
import type { ChainHead } from '../runtime/audit/chain.js';
import { until } from '../runtime/testing/until.js';
import { SystemEventTransportFilter } from '../runtime/transport/system-event-filter.js';
import { startChainHeadPublisher } from './chain-head-publisher.js';

const test = suite('chain heads');

interface Scene {
  readonly options: SystemEventOptions;
  readonly sent: OutboundMessage[];
  published: number | undefined;
  head: ChainHead | undefined;
  queries: number;
  isReachable: boolean;
}

async function withHeads(body: (scene: Scene) => Promise<void>, repeatMs = 60_000): Promise<void> {
  const options = new SystemEventOptions().broadcast();
  const head = { position: 3, hash: 'ab'.repeat(32) };
  const scene: Scene = { options, sent: [], published: 3, head, queries: 0, isReachable: true };
  const heads = startChainHeadPublisher(
    {
      transport: {
        publish: async (message) => {
          if (!scene.isReachable) throw new TransportUnreachable();
          scene.sent.push(message);
        },
      },
      filter: new SystemEventTransportFilter(options),
      publishedCount: () => scene.published,
      head: async () => {
        scene.queries++;
        return scene.head;
      },
      host: 'north',
      store: newUuid(),
    },
    { pollMs: 2, repeatMs },
  );
  try {
    await body(scene);
  } finally {
    heads.stop();
  }
}

const severalPolls = () => new Promise((resolve) => setTimeout(resolve, 40));

test('a changed head is published, and the store is not queried while nothing was published', () =>
  withHeads(async (scene) => {
    await severalPolls();
    assert.equal(
      scene.sent.map(({ destination, envelope }) => [destination, envelope.payload, envelope.host]),
      [['svc.system.ChainHead', { position: 3, hash: 'ab'.repeat(32) }, 'north']],
    );
    assert.is(scene.queries, 1);
    scene.published = 4;
    scene.head = { position: 4, hash: 'cd'.repeat(32) };
    await severalPolls();
    assert.equal([scene.sent.length, scene.queries], [2, 2]);
  }));

test('a host that does not broadcast publishes no head', () =>
  withHeads(async (scene) => {
    scene.options.localOnly = true;
    await severalPolls();
    assert.equal([scene.sent.length, scene.queries], [0, 0]);
  }));

test('while another host publishes, this one publishes no head', () =>
  withHeads(async (scene) => {
    scene.published = undefined;
    await severalPolls();
    assert.is(scene.sent.length, 0);
  }));

test('an unchanged head is sent again periodically: the broker may have lost it', () =>
  withHeads(async (scene) => {
    await until(() => scene.sent.length >= 3);
    const [first, second] = scene.sent;
    assert.equal(second?.envelope.payload, first?.envelope.payload);
    assert.is.not(second?.id, first?.id);
  }, 10));

test('a head that could not be published is published later', () =>
  withHeads(async (scene) => {
    scene.isReachable = false;
    await severalPolls();
    scene.isReachable = true;
    await severalPolls();
    assert.is(scene.sent.length, 1);
  }));

test.run();
