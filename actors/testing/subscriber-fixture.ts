import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import {
  type InboundMessage,
  type SubscriptionRequest,
  type Acknowledgement,
  TransportUnreachable,
} from '../../contracts/transport.js';
import type { ReceivedStatus } from '../../contracts/host-status.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { SystemEventTransportFilter } from '../../runtime/transport/system-event-filter.js';
import { startSubscriber, type Subscriber, type SubscriberOptions } from '../subscriber/start-subscriber.js';
import { leasesInMemory } from '../../runtime/testing/leases.js';
import { InMemoryInbox } from '../../runtime/testing/in-memory-inbox.js';

/** Delivers batches to the subscriber. */
class Hub {
  readonly requests = new Set<SubscriptionRequest>();
  isDown = false;

  subscribe(request: SubscriptionRequest) {
    const { requests } = this;
    const isUp = () => !this.isDown && requests.has(request);
    requests.add(request);
    return {
      name: request.name,
      get isUp() {
        return isUp();
      },
      stop: () => Promise.resolve(void requests.delete(request)),
    };
  }

  async send(...batch: InboundMessage[]): Promise<readonly Acknowledgement[]> {
    const [request] = this.requests;
    assert.ok(request, 'there is no subscriber');
    return request.handle(batch);
  }

  ping(): Promise<void> {
    return this.isDown ? Promise.reject(new TransportUnreachable()) : Promise.resolve();
  }
}

interface Scene {
  readonly hub: Hub;
  readonly inbox: InMemoryInbox;
  readonly reported: SystemMessage[];
  readonly statuses: ReceivedStatus[];
  readonly bakery: ForeignStore;
  readonly own: ForeignStore;
  readonly start: (owner?: string, more?: Partial<SubscriberOptions>, leaseMs?: number) => Subscriber;
}

export async function withScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const started: Subscriber[] = [];
  const [hub, inbox, own] = [new Hub(), new InMemoryInbox(), new ForeignStore()];
  const reported: SystemMessage[] = [];
  const statuses: ReceivedStatus[] = [];
  const filter = new SystemEventTransportFilter(new SystemEventOptions().broadcast());
  const start: Scene['start'] = (owner = 'us', more = {}, leaseMs = 600_000) => {
    const report = (message: SystemMessage) => void reported.push(message);
    const onStatus = (status: ReceivedStatus) => void statuses.push(status);
    const ports = {
      inbox: inbox.heldBy(owner),
      transport: hub,
      filter,
      report,
      onStatus,
      leases: leasesInMemory(inbox, owner, leaseMs),
    };
    const settings = { unreachableMs: 50 };
    const subscriber = startSubscriber(ports, { store: own.id, types: ['Baked'], ...more }, settings);
    started.push(subscriber);
    return subscriber;
  };
  try {
    await body({ hub, inbox, reported, statuses, bakery: new ForeignStore(), own, start });
  } finally {
    inbox.failure = undefined;
    for (const subscriber of started) await subscriber.stop();
  }
}

export const done = (count: number): Acknowledgement[] => Array<Acknowledgement>(count).fill('done');
