import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { execute, withDatabase } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { withOrders } from '../testing/spawned-host.js';
import { blocksOf } from './code-blocks.js';

const test = suite('the examples of bringing existing data');

const page = 'docs/guides/existing-data.md';

/** The block of the page that begins with the name of this file. */
async function blockOf(name: string): Promise<string> {
  const blocks = blocksOf(page, await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8'));
  const block = blocks.find((one) => /^(?:--|\/\/) (.+)\n/.exec(one.text)?.[1] === name);
  assert.ok(block, name);
  return block.text;
}

const importInto = async (url: string, file: string) =>
  (await svcInProcess(['store', 'import', file, '--json'], { DATABASE_URL: url })).stdout;

const shipped = '0190b5d4-0000-7000-8000-000000000001';
const cancelled = '0190b5d4-0000-7000-8000-000000000002';

/** What `psql --no-align --tuples-only` prints. */
const printed = async (url: string, sql: string): Promise<string> =>
  (await rowsOf(url, sql)).map(([line = '']) => `${line}\n`).join('');

test('a table with history: the read model shows the old orders, no process starts, nothing is published', () =>
  withDatabase((old) =>
    withDatabase((url) =>
      withFolder(async (folder) => {
        await execute(old, await blockOf('tables.sql'));
        const file = join(folder, 'events.ndjson');
        await writeFile(file, await printed(old, await blockOf('history.sql')));
        await withOrders({ DATABASE_URL: url, SVC_AUTH: 'none' }, async (host) => {
          assert.is(await importInto(url, file), '{"imported":4,"present":0}\n');
          const statusOf = async (id: string) => {
            const answer = await fetch(`${host.url}/orders/${id}`);
            return answer.ok ? ((await answer.json()) as { readonly status: string }).status : undefined;
          };
          await until(async () => (await statusOf(shipped)) === 'shipped');
          await until(async () => (await statusOf(cancelled)) === 'cancelled');
          // Whatever follows the log has passed what was imported.
          await until(async () => {
            const [[behind] = []] = await rowsOf(url, 'SELECT count(*) FROM svc_progress WHERE position < 4');
            return Number(behind) === 0;
          });
          assert.equal(await rowsOf(url, 'SELECT key FROM svc_processes'), []);
          assert.equal(await rowsOf(url, `SELECT 1 FROM svc_events WHERE NOT imported`), []);
          assert.equal(await rowsOf(url, 'SELECT 1 FROM svc_outbox_pending'), []);
        });
        await execute(
          old,
          `INSERT INTO order_changes VALUES ('${shipped}', 2, 'cancelled', 'lost', '2024-06-01 12:00+00', 'ada')`,
        );
        await writeFile(file, await printed(old, await blockOf('history.sql')));
        assert.is(await importInto(url, file), '{"imported":1,"present":4}\n');
      }),
    ),
  ));

test('another event store: a script turns its events into lines', () =>
  withStore((url) =>
    withFolder(async (folder) => {
      const [script, file] = [join(folder, 'from-marten.mjs'), join(folder, 'events.ndjson')];
      await writeFile(script, await blockOf('from-marten.mjs'));
      const streamId = newUuid();
      const dump = [
        { type: 'order_created', data: { orderId: streamId, total: '1.50' }, tenant_id: '*DEFAULT*' },
        { type: 'order_shipped', data: { orderId: streamId, carrier: 'post' }, tenant_id: 'acme' },
      ].map((event, index) => ({
        seq_id: index + 1,
        id: newUuid(),
        stream_id: streamId,
        version: index + 1,
        is_archived: false,
        timestamp: `2024-05-0${index + 1}T10:00:00.123456+00:00`,
        ...event,
      }));
      const node = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
      node.stdin.end(dump.map((event) => `${JSON.stringify(event)}\n`).join(''));
      const [lines] = await Promise.all([text(node.stdout), once(node, 'close')]);
      await writeFile(file, lines);
      assert.is(await importInto(url, file), '{"imported":2,"present":0}\n');
      assert.equal(
        await rowsOf(
          url,
          'SELECT event_type, stream_position, occurred_at::text, tenant_id FROM svc_event_stream ORDER BY 2',
        ),
        [
          ['OrderCreated', '1', '2024-05-01 10:00:00.123456+00', 'null'],
          ['OrderShipped', '2', '2024-05-02 10:00:00.123456+00', 'acme'],
        ],
      );
    }),
  ));
