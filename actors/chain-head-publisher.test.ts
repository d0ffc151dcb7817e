import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../contracts/system-event-options.js';
import { suite } from '../contracts/testing/suite.js';
import { type OutboundMessage, TransportUnreachable } from '../contracts/transport.js';
import { newUuid } from '../contracts/uuid.js';
import type { DatedHead } from '../runtime/trust/published-head.js';
import { keyFromSeed, newSeed } from '../runtime/trust/ed25519.js';
import { isSigned, readSignedHead, signHead } from '../runtime/trust/signed-head.js';
import { until } from '../runtime/kit/until.js';
import { SystemEventTransportFilter } from '../runtime/transport/system-event-filter.js';
import { startChainHeadPublisher } from './chain-head-publisher.js';

const test = suite('chain heads');

interface Scene {
  readonly options: SystemEventOptions;
  readonly sent: OutboundMessage[];
  published: number | undefined;
  head: DatedHead | undefined;
  queries: number;
  isReachable: boolean;
}

const key = { storeId: newUuid(), ...keyFromSeed(newSeed()) };
const headAt = (position: number): DatedHead => ({
  position,
  hash: 'ab'.repeat(32),
  at: '2026-03-01T09:30:00.000Z',
  history: { epoch: 1, forks: '', publishedTo: position },
});

async function withHeads(body: (scene: Scene) => Promise<void>, repeatMs = 60_000): Promise<void> {
  const options = new SystemEventOptions().broadcast();
  const head = headAt(3);
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
      key,
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
      [['svc.system.ChainHead', signHead(headAt(3), key), 'north']],
    );
    assert.is(scene.queries, 1);
    scene.published = 4;
    scene.head = headAt(4);
    await severalPolls();
    assert.equal([scene.sent.length, scene.queries], [2, 2]);
  }));

test('a head is signed with the key of the store', () =>
  withHeads(async ({ sent }) => {
    await until(() => sent.length > 0);
    const payload = sent[0]?.envelope.payload as Record<string, unknown>;
    const read = readSignedHead(payload);
    assert.ok(read !== undefined && isSigned(read));
    assert.equal([read.store, read.publicKey], [key.storeId, key.publicKey.toString('hex')]);
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
