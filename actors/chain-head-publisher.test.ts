import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../contracts/system-event-options.js';
import { type OutboundMessage, TransportUnreachable } from '../contracts/transport.js';
import { newUuid } from '../contracts/uuid.js';
import type { ChainHead } from '../runtime/audit/chain.js';
import { until } from '../runtime/testing/until.js';
import { SystemEventTransportFilter } from '../runtime/transport/filter.js';
import { startChainHeadPublisher } from './chain-head-publisher.js';

const test = suite('chain heads');

interface Scene {
  readonly options: SystemEventOptions;
  readonly told: OutboundMessage[];
  published: number | undefined;
  head: ChainHead | undefined;
  asked: number;
  isReachable: boolean;
}

async function withHeads(body: (scene: Scene) => Promise<void>, repeatMs = 60_000): Promise<void> {
  const options = new SystemEventOptions().broadcast();
  const head = { position: 3, hash: 'ab'.repeat(32) };
  const scene: Scene = { options, told: [], published: 3, head, asked: 0, isReachable: true };
  const heads = startChainHeadPublisher(
    {
      transport: {
        publish: async (message) => {
          if (!scene.isReachable) throw new TransportUnreachable();
          scene.told.push(message);
        },
      },
      filter: new SystemEventTransportFilter(options),
      publishedCount: () => scene.published,
      head: async () => {
        scene.asked++;
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

const turns = () => new Promise((resolve) => setTimeout(resolve, 40));

test('the head is told when it has changed, and the store is not asked while nothing was published', () =>
  withHeads(async (scene) => {
    await turns();
    assert.equal(
      scene.told.map(({ destination, envelope }) => [destination, envelope.payload, envelope.host]),
      [['svc.system.ChainHead', { position: 3, hash: 'ab'.repeat(32) }, 'north']],
    );
    assert.is(scene.asked, 1);
    scene.published = 4;
    scene.head = { position: 4, hash: 'cd'.repeat(32) };
    await turns();
    assert.equal([scene.told.length, scene.asked], [2, 2]);
  }));

test('a host that keeps its system messages to itself tells nothing', () =>
  withHeads(async (scene) => {
    scene.options.localOnly = true;
    await turns();
    assert.equal([scene.told.length, scene.asked], [0, 0]);
  }));

test('while another host publishes, it tells nothing', () =>
  withHeads(async (scene) => {
    scene.published = undefined;
    await turns();
    assert.is(scene.told.length, 0);
  }));

test('a head that has not changed is sent again now and then: the broker may have lost it', () =>
  withHeads(async (scene) => {
    await until(() => scene.told.length >= 3);
    const [first, second] = scene.told;
    assert.equal(second?.envelope.payload, first?.envelope.payload);
    assert.is.not(second?.id, first?.id);
  }, 10));

test('a head that could not be told is told later', () =>
  withHeads(async (scene) => {
    scene.isReachable = false;
    await turns();
    scene.isReachable = true;
    await turns();
    assert.is(scene.told.length, 1);
  }));

test.run();
