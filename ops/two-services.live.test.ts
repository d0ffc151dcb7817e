import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { removeHome } from '../runtime/database/embedded/server-home.js';
import { withNats } from '../runtime/testing/shared-nats.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';
import { until } from '../runtime/kit/until.js';
import { type SpawnedCli, startProgram } from './testing/spawned-host.js';

const test = suite('two services');

const start = fileURLToPath(new URL('../../examples/two-services/dist/start.js', import.meta.url));
const names = ['shop', 'warehouse', 'monitor'];
const long = 120_000;

type Line = Readonly<Record<string, unknown>>;
type Rows = { readonly data: readonly Line[] };

/** Shop, warehouse and monitor, started by one command. */
class Started {
  readonly lines: Line[] = [];
  readonly #urls = new Map<unknown, string>();

  constructor(readonly program: SpawnedCli) {
    program.onLine((text) => {
      const line = JSON.parse(text) as Line;
      this.lines.push(line);
      if (line['msg'] === 'listening') this.#urls.set(line['service'], String(line['url']));
    });
  }

  async untilAllListen(): Promise<void> {
    const early = this.program.ended.then(() => assert.unreachable(this.program.output.stderr.join('')));
    await Promise.race([until(() => names.every((name) => this.#urls.has(name)), long), early]);
  }

  async post(service: string, path: string, body: unknown): Promise<{ status: number; says: Line }> {
    const response = await fetch(`${this.#urls.get(service)}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, says: (await response.json()) as Line };
  }

  /** Waits until the row of an order has this status. */
  async untilStatus(service: string, path: string, orderId: unknown, status: string): Promise<Line> {
    let row: Line | undefined;
    await until(async () => {
      const { data } = (await (await fetch(`${this.#urls.get(service)}${path}`)).json()) as Rows;
      row = data.find((each) => each['orderId'] === orderId);
      return row?.['status'] === status;
    }, long);
    return row ?? {};
  }
}

const whileStarted = (body: (started: Started) => Promise<void>): Promise<void> =>
  withNats((NATS_URL) =>
    withFolder(async (folder) => {
      const ports = { SHOP_PORT: '0', WAREHOUSE_PORT: '0', MONITOR_PORT: '0' };
      const env = { ...ports, NATS_URL, SVC_DATA_DIR: folder };
      const started = new Started(startProgram(process.execPath, [start], env));
      try {
        await started.untilAllListen();
        await body(started);
      } finally {
        await started.program.kill('SIGTERM');
        for (const name of names) await removeHome(join(folder, name));
      }
    }),
  );

test('one command starts shop, warehouse and monitor: an order reaches the packing list, its parcel the order, and both audits the monitor', () =>
  whileStarted(async (started) => {
    const { says } = await started.post('shop', '/orders', { product: 'tea', quantity: 2 });
    const { orderId } = says;
    const toPack = await started.untilStatus('warehouse', '/parcels', orderId, 'to pack');
    assert.equal([toPack['product'], toPack['quantity']], ['tea', 2]);

    const parcel = { orderId, carrier: 'pigeon' };
    assert.is((await started.post('warehouse', '/parcels/ship', parcel)).status, 200);
    const shipped = await started.untilStatus('shop', '/orders', orderId, 'shipped');
    assert.equal([shipped['product'], shipped['carrier']], ['tea', 'pigeon']);

    const again = await started.post('warehouse', '/parcels/ship', parcel);
    assert.equal([again.status, again.says['type']], [409, 'urn:svc:problem:parcel-shipped']);

    const audited = (host: string) =>
      started.lines.some((line) => line['host'] === host && line['eventType'] === 'CommandAudited');
    await until(() => audited('shop') && audited('warehouse'), long);
    assert.equal(await started.program.kill('SIGTERM'), { code: 0, signal: null });
  }));
