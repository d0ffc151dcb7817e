import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { newUuid } from '../../contracts/uuid.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { loadService } from '../service/load-service.js';
import { svc } from './spawned-host.js';

/** BLOCK: for how many milliseconds each event blocks; BLOCK_AT: or only this one. */
const shop = `import { Event } from '${new URL('../../index.js', import.meta.url).href}';
class Sold extends Event {}
const [ms, at] = ['BLOCK', 'BLOCK_AT'].map((name) => Number(process.env[name] ?? 0));
const cell = new Int32Array(new SharedArrayBuffer(4));
let n = 0;
const sales = {
  name: 'sales',
  events: [Sold],
  initial: () => ({ count: 0 }),
  apply: ({ count }) => {
    if (ms > 0 && (++n === at || at === 0)) Atomics.wait(cell, 0, 0, ms);
    return { count: count + 1 };
  },
};
export default { name: 'shop', create: () => ({ endpoints: [], receptors: [], perspectives: [sales] }) };`;

const sold = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Sold',
  payload: { note: 'x'.repeat(400) },
  timestamp: new Date().toISOString(),
  v: 1,
});

/** The number of events. */
export const sales = 1_200;
const ofRebuilds = `SELECT event_type, data->>'eventsReplayed',
  extract(epoch FROM recorded_at - lag(recorded_at) OVER (ORDER BY stream_position)) FROM svc_system_stream
  WHERE event_type LIKE 'PerspectiveRebuild%' ORDER BY stream_position`;

export interface Reported {
  readonly types: readonly string[];
  /** Of the reports of progress, in order. */
  readonly counts: readonly number[];
  /** The longest time between two reports, in seconds. */
  readonly longestGap: number;
}

type Rebuild = (env: Readonly<Record<string, string>>) => Promise<Reported>;

/** A shop with so many sales, and how to rebuild its perspective. */
export const withShop = (body: (rebuild: Rebuild) => Promise<void>): Promise<void> =>
  withStore((url) =>
    withFolder(async (folder) => {
      const file = join(folder, 'shop.mjs');
      await writeFile(file, shop);
      const store = { DATABASE_URL: url, SVC_PORT: '0' };
      const host = await startHost(await loadService(file), readConfig(store));
      try {
        for (let n = 0; n < sales; n += 100)
          await host.service.eventStore.append(newUuid(), Array.from({ length: 100 }, sold));
      } finally {
        await host.stop();
      }
      let seen = 0;
      await body(async (env) => {
        const args = ['perspectives', 'rebuild', 'sales', '--mode', 'BlueGreen', '--app', file];
        const { code, stderr } = await svc(args, { ...store, ...env });
        assert.is(code, 0, stderr);
        const rows = (await query(url, ofRebuilds)).slice(seen);
        seen += rows.length;
        return {
          types: rows.map(([type = '']) => String(type).replace('PerspectiveRebuild', '')),
          counts: rows.flatMap(([type, count]) =>
            type === 'PerspectiveRebuildProgress' ? Number(count) : [],
          ),
          longestGap: Math.max(...rows.slice(1).map(([, , seconds]) => Number(seconds))),
        };
      });
    }),
  );

export const mustBeginAndEnd = ({ types }: Reported): void =>
  assert.equal([types[0], types.at(-1)], ['Started', 'Completed']);
