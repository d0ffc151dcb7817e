import { addServicePerspectives } from '../../../actors/perspectives/add-service-perspectives.js';
import { RebuildMode } from '../../../contracts/perspective.js';
import { addService } from '../../../runtime/service/service.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { orderTotals } from './order-totals.js';

/** Rebuilds once in its own process, and reports speed and memory. */
const [url = ''] = process.argv.slice(2);
const service = addService()
  .with(postgresEventStore({ url }))
  .with(
    addServicePerspectives([orderTotals], {
      threads: { entry: new URL('folding.js', import.meta.url) },
    }),
  );
await service.parts.perspectives?.started;
const began = performance.now();
const { events } = await service.rebuild('order-totals', { mode: RebuildMode.BlueGreen });
const seconds = (performance.now() - began) / 1_000;
const peakMb = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(`${JSON.stringify({ events, seconds, peakMb })}\n`);
await service.stop();
