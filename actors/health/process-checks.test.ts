import * as assert from 'uvu/assert';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { eventLoopCheck, quarantineCheck, toolsCheck } from './process-checks.js';

const test = suite('process checks');

const signal = new AbortController().signal;
const run = async (check: HealthCheck): Promise<HealthReport> => check.check(signal);

test('commands in quarantine make a host Degraded and are named', async () => {
  assert.equal(await run(quarantineCheck(() => [])), { status: 'Healthy' });
  assert.equal(await run(quarantineCheck(() => [{ command: 'Bake', key: '7' }, { command: 'Sell' }])), {
    status: 'Degraded',
    detail: 'In quarantine: Bake (key 7), Sell.',
  });
});

test('the tools of agents are counted, and any change of their texts changes the digest', async () => {
  const of = async (tools: readonly object[]) =>
    (await run(toolsCheck(JSON.stringify(tools)))).detail?.split(', ') ?? [];
  const [count, digest] = await of([{ tool: { name: 'a', description: 'A.' } }]);
  assert.is(count, '1 tools of agents');
  assert.match(digest ?? '', /^sha256 [0-9a-f]{16}$/);
  assert.is.not((await of([{ tool: { name: 'a', description: 'B.' } }]))[1], digest);
});

test('an event loop that was blocked degrades the host, once', async () => {
  const check = eventLoopCheck(60);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const end = performance.now() + 300; performance.now() < end;);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { status, detail } = await run(check);
  check.stop();
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', /^The event loop is \d{3,} ms late \(p99\)\.$/);
  assert.is((await run(check)).status, 'Healthy');
});
