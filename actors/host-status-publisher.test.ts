import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { HealthStatus } from '../contracts/health.js';
import { SystemEventOptions } from '../contracts/system-event-options.js';
import { suite } from '../contracts/testing/suite.js';
import { type OutboundMessage, TransportUnreachable } from '../contracts/transport.js';
import { newUuid } from '../contracts/uuid.js';
import type { HostStatus } from '../contracts/host-status.js';
import { SystemEventTransportFilter } from '../runtime/transport/system-event-filter.js';
import { startHostStatusPublisher } from './host-status-publisher.js';
import { until } from '../runtime/kit/until.js';

const test = suite('host status');

interface Scene {
  readonly options: SystemEventOptions;
  readonly sent: OutboundMessage[];
  status: HealthStatus;
  isReachable: boolean;
  stop(): Promise<void>;
}

async function withStatus(everyMs: number, body: (scene: Scene) => Promise<void>): Promise<void> {
  const options = new SystemEventOptions().broadcast();
  const sent: OutboundMessage[] = [];
  const publish = async (message: OutboundMessage): Promise<void> => {
    if (!scene.isReachable) throw new TransportUnreachable();
    sent.push(message);
  };
  const running = startHostStatusPublisher(
    {
      transport: { publish },
      filter: new SystemEventTransportFilter(options),
      host: 'north',
      store: newUuid(),
      status: () => ({
        service: 'bakery',
        version: '1',
        startedAt: '2026-01-01T00:00:00.000Z',
        status: scene.status,
        checks: [{ name: 'oven', status: scene.status }],
      }),
    },
    { pollMs: 2, repeatMs: everyMs },
  );
  const scene: Scene = { options, sent, status: 'Healthy', isReachable: true, stop: () => running.stop() };
  try {
    await body(scene);
  } finally {
    await running.stop();
  }
}

const statesSent = ({ sent }: Scene): [string, string, string][] =>
  sent.map(({ destination, envelope }) => {
    const { state, status } = envelope.payload as HostStatus;
    return [destination, state, status];
  });

test('the status is published after the first checks, when it changes, and at the end', () =>
  withStatus(3_600_000, async (scene) => {
    await until(() => scene.sent.length === 1);
    await delay(40);
    scene.status = 'Unhealthy';
    await until(() => scene.sent.length === 2);
    await scene.stop();
    assert.equal(statesSent(scene), [
      ['svc.system.HostStatus', 'up', 'Healthy'],
      ['svc.system.HostStatus', 'up', 'Unhealthy'],
      ['svc.system.HostStatus', 'stopped', 'Unhealthy'],
    ]);
  }));

test('an unchanged status is published periodically', () =>
  withStatus(6, async (scene) => {
    await until(() => scene.sent.length >= 4);
    assert.is(new Set(scene.sent.map(({ id }) => id)).size, scene.sent.length);
  }));

test('a host that does not broadcast publishes no status, not even at the end', () =>
  withStatus(4, async (scene) => {
    scene.options.localOnly = true;
    await delay(60);
    await scene.stop();
    assert.is(scene.sent.length, 0);
  }));

test('a status that could not be published is published later', () =>
  withStatus(3_600_000, async (scene) => {
    scene.isReachable = false;
    await delay(40);
    scene.isReachable = true;
    await until(() => scene.sent.length > 0);
  }));
