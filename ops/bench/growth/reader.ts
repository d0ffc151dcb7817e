import { openDatabase } from '../../../runtime/database/database.js';
import { collect } from '../../../runtime/kit/collect.js';
import { readModels } from '../../../runtime/perspectives/reads/read-models.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { firstPage } from '../../../runtime/testing/first-page.js';
import { systemPart } from '../../console/sources/host/system-stream-part.js';
import type { SystemFilter } from '../../console/model/system-records.js';
import { quantile } from '../harness/statistics.js';
import { commandsOf, correlationOf, rareType, streamOf, userOf } from './commands.js';
import { salesTable } from './filled-stores.js';

/** Reads a filled store as a host does; each time something else of it. */
const [url = '', count = '', samples = ''] = process.argv.slice(2);
const commands = commandsOf(Number(count));
const database = openDatabase({ url, connections: 1 });
const store = openPostgresStore(database, { host: 'bench' });
const system = systemPart(database);
const models = readModels(database);

const hits = 50;

/** Until there are so many hits, or no more records. */
async function search(filter: SystemFilter): Promise<void> {
  let found = 0;
  for (let before: number | undefined; found < hits;) {
    const page = await system.page(filter, before, hits - found);
    found += page.records.length;
    before = page.before;
    if (before === undefined) return;
  }
}

const nth = (): number => Math.floor(Math.random() * commands.count);

const reads: Readonly<Record<string, () => Promise<unknown>>> = {
  'rare type ms': () => search({ type: rareType }),
  'user ms': () => search({ user: userOf(nth(), commands) }),
  'correlation ms': () => search({ correlation: correlationOf(nth()) }),
  'no hits ms': () => search({ user: `nobody-${nth()}` }),
  'read model ms': () => models.page(salesTable, { ...firstPage, tenant: 'north' }),
  'stream ms': () => collect(store.read(streamOf(nth(), commands))),
};

async function timesOf(): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map(Object.keys(reads).map((name) => [name, [] as number[]]));
  for (let sample = 0; sample < Number(samples); sample++)
    for (const [name, read] of Object.entries(reads)) {
      const began = performance.now();
      await read();
      times.get(name)?.push(performance.now() - began);
    }
  return times;
}

await timesOf();
const medians = Array.from(await timesOf(), ([name, times]) => [name, quantile(times, 0.5)] as const);
const figures = { ...Object.fromEntries(medians), MB: process.resourceUsage().maxRSS / 1_024 };
await store.close();
await database.close();
process.stdout.write(`${JSON.stringify(figures)}\n`);
