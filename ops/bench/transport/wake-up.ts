import { setTimeout as delay } from 'node:timers/promises';
import { withNatsTap, type TappedMessage } from '../../../runtime/testing/nats-tap.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import type { BenchStore } from './bench-store.js';

/** From the answer of a commit to the message at a subscriber of the broker, one event at a time. */
export async function measureWakeUps(store: BenchStore, natsUrl: string, samples: number): Promise<Figures> {
  const waits: number[] = [];
  await withNatsTap(natsUrl, async (received) => {
    for (let n = 0; n < samples; n++) {
      await store.append(1, 1);
      const committed = performance.now();
      const { at } = await arrival(received, n);
      // The message may reach a subscriber before the answer reaches the writer.
      waits.push(Math.max(0, at - committed));
      await delay(20 + Math.random() * 40);
    }
  });
  return { 'p50 ms': quantile(waits, 0.5), 'p99 ms': quantile(waits, 0.99), 'max ms': Math.max(...waits) };
}

async function arrival(received: readonly TappedMessage[], index: number): Promise<TappedMessage> {
  for (;;) {
    const arrived = received.filter(({ subject }) => subject.startsWith('svc.events.'))[index];
    if (arrived !== undefined) return arrived;
    await delay(1);
  }
}
