import { randomUUID } from 'node:crypto';
import {
  getPostgreSQLEventStore,
  pongoSingleStreamProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql';

/** Emmett's own rebuild of a document per stream; what it stores is there after the first run. */
const [url, count] = process.argv.slice(2);
const events = Number(count);
const perStream = 40;

const projection = pongoSingleStreamProjection({
  collectionName: 'order_totals',
  canHandle: ['OrderPlaced'],
  initialState: () => ({ count: 0, total: 0 }),
  evolve: (document, { data }) => ({ count: document.count + 1, total: document.total + data.amount }),
});

const store = getPostgreSQLEventStore(url, { projections: [{ type: 'inline', projection }] });
await store.schema.migrate();
const first = await store.readStream('order-0');
if (first.events.length === 0) await fill();
const began = performance.now();
const consumer = rebuildPostgreSQLProjections({ connectionString: url, projection });
await consumer.start();
const seconds = (performance.now() - began) / 1_000;
await consumer.close();
await store.close();
process.stdout.write(
  `${JSON.stringify({ events, seconds, peakMb: process.resourceUsage().maxRSS / 1_024 })}\n`,
);

async function fill() {
  for (let stream = 0; stream < events / perStream; stream++) {
    const placed = Array.from({ length: perStream }, (_, n) => ({
      type: 'OrderPlaced',
      data: { amount: n, note: 'x'.repeat(200) },
      metadata: { correlationId: randomUUID() },
    }));
    await store.appendToStream(`order-${stream}`, placed);
  }
}
