import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { withBroadcastingHostOn } from '../testing/broadcasting-host.js';
import { svc } from '../testing/spawned-host.js';
import { tamperWith } from '../testing/tampered-log.js';
import { withMonitored } from '../testing/monitored-hosts.js';

const test = suite('svc monitor');

test('it keeps the heads that hosts sign; with them and those at the broker, a log that was cut off shows', () =>
  withMonitored(({ nats, store, monitor }) =>
    monitor(() =>
      withFolder((folder) =>
        withStore(async (url) => {
          await withBroadcastingHostOn(url, 'north', nats, async (north) => {
            for (let n = 0; n < 3; n++) await north.order();
            const last = await rowsOf(url, 'SELECT max(stream_position) FROM svc_system_events');
            const kept = 'SELECT max(position) FROM svc_signed_heads';
            await until(
              async () => Number((await rowsOf(store, kept))[0]?.[0]) >= Number(last[0]?.[0]),
              30_000,
            );
          });
          const env = { DATABASE_URL: url, NATS_URL: nats };
          const whole = await svc(['audit', 'verify'], env);
          assert.match(whole.stdout, /\nIt agrees with \d+ signed heads? at the broker/);
          const file = join(folder, 'heads.jsonl');
          await writeFile(file, (await svc(['audit', 'export', '--heads'], { DATABASE_URL: store })).stdout);
          const [[signed] = []] = await rowsOf(store, 'SELECT max(position) FROM svc_signed_heads');
          await tamperWith(url, `DELETE FROM svc_system_events WHERE stream_position >= ${signed}`);
          for (const [args, settings] of [
            [[], env],
            [['--against', file], { DATABASE_URL: url }],
          ] as const) {
            const { code, stderr } = await svc(['audit', 'verify', ...args], settings);
            assert.is(code, 1);
            assert.match(stderr, /: record \d+ is missing: the end of the log was cut off\.\n$/);
          }
        }),
      ),
    ),
  ));
