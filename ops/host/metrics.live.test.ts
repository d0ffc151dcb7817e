import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { program } from '../../runtime/testing/installed-program.js';
import { readConfig } from '../config/config.js';
import { startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';
import { supervisedMetrics } from '../supervise/combine-host-metrics.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('host metrics');

const root = new URL('../../../', import.meta.url);
const pathOf = (file: string): string => fileURLToPath(new URL(file, root));
const alerts = pathOf('ops/grafana/alerts.yml');
const dashboard = pathOf('ops/grafana/dashboard.json');

/** The metrics after an order, a refused order and a request to an unknown path. */
const afterSomeOrders = async (): Promise<string> => {
  let text = '';
  await withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: url });
    const host = await startHost(ordersAlone, config);
    try {
      for (let n = 0; n < 3; n++) assert.is((await createOrder(host.url)).status, 200);
      assert.is((await post(host.url, {}, { path: '/orders' })).status, 422);
      assert.is((await send(host.url, { path: '/orders', body: '{' })).status, 415);
      assert.is((await send(host.url, { method: 'GET', path: '/nowhere/7' })).status, 404);
      const answer = await fetch(`${host.url}/metrics`);
      assert.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
      text = await answer.text();
    } finally {
      await host.stop();
    }
  });
  return text;
};

let asked: Promise<string> | undefined;
const metricsText = (): Promise<string> => (asked ??= afterSomeOrders());

const promtool = async (args: readonly string[], input = ''): Promise<string> => {
  const running = promisify(execFile)(await program('promtool', 'prometheus'), args);
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running;
  return stdout + stderr;
};

test('requests are counted by route and status, and never by a path that a client made up', async () => {
  const text = await metricsText();
  const count = (method: string, route: string, status: number) =>
    new RegExp(
      `^http_server_request_duration_seconds_count\\{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"\\} (\\d+)$`,
      'm',
    ).exec(text)?.[1];
  assert.is(count('POST', '/orders', 200), '3');
  assert.is(count('POST', '/orders', 422), '1');
  assert.is(count('POST', '/orders', 415), '1');
  assert.is(count('GET', '', 404), '1');
  assert.not.match(text, 'nowhere');
});

test('commands, commits, audits and checks are counted under the names that the code declares', async () => {
  const text = await metricsText();
  for (const line of [
    /^svc_commands_total\{command="CreateOrder",outcome="completed"\} 3$/m,
    /^svc_lifecycle_state_duration_seconds_count\{command="CreateOrder",state="dispatching"\} 3$/m,
    /^svc_lifecycle_transitions_total\{command="CreateOrder",from="dispatching",to="completed",trigger="succeeded"\} 3$/m,
    /^svc_append_batch_size_sum [3-9]$/m,
    /^svc_append_duration_seconds_count [1-9]$/m,
    /^svc_commit_queue_depth 0$/m,
    /^svc_system_events_total\{event_type="CommandAudited"\} 3$/m,
    /^svc_mailbox_depth\{command="CreateOrder"\} 0$/m,
    /^svc_health_status\{check="svc_relational_db"\} 1$/m,
    /^svc_transport_messages_total\{direction="out",outcome="dead"\} 0$/m,
    /^svc_child_restarts_total\{child="outbox-relay"\} 0$/m,
    /^svc_child_restarts_total\{child="[\w-]+ perspective"\} 0$/m,
    /^svc_inspect_dropped_frames_total 0$/m,
    /^svc_build_info\{version="[\d.]+",node="v[\d.]+"\} 1$/m,
    /^svc_outbox_oldest_age_seconds 0/m,
  ])
    assert.match(text, line);
});

test('promtool finds nothing wrong with the metrics', async () => {
  assert.is(await promtool(['check', 'metrics'], await metricsText()), '');
});

test('promtool finds nothing wrong with the alerts, and an error rate above 5 % is one of them', async () => {
  assert.match(await promtool(['check', 'rules', alerts]), /SUCCESS: \d+ rules found/);
  assert.match(await readFile(alerts, 'utf8'), /alert: SvcErrorRateHigh[\s\S]+?> 0\.05/);
});

test('every metric that the alerts and the dashboard use is exported by a host or its supervisor', async () => {
  const exported = new Set([...(await metricsText()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const { name } of supervisedMetrics([])) exported.add(name);
  for (const file of [alerts, dashboard]) {
    const text = await readFile(file, 'utf8');
    const used = [...text.matchAll(/\b(?:svc|http_server|nodejs|process)_\w+(?=[{[)}\s,])/g)].map(
      ([name]) => name,
    );
    assert.ok(used.length > 8, `${file}: ${used.length}`);
    const unknown = used.filter(
      (name) => !exported.has(name) && !exported.has(name.replace(/_(?:bucket|sum|count)$/, '')),
    );
    assert.equal(unknown, [], file);
  }
});
