import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from 'svc-runtime';
import { startBroker } from './broker.js';
import { firstEnd, type Started, stop } from './started-process.js';

const { env } = process;
const here = dirname(fileURLToPath(import.meta.url));
const svc = join(
  dirname(createRequire(import.meta.url).resolve('svc-runtime/package.json')),
  'dist/ops/cli.js',
);
/** Ctrl-C, a stop by a supervisor, or a terminal that is closed. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interruption.abort());

const dataDir = env['SVC_DATA_DIR'] || '.svc/two-services';

/** Each service has its own store; they learn of each other's events over NATS. */
const startService = (name: string, args: readonly string[], port: string, natsUrl: string): Started => ({
  name,
  child: spawn(process.execPath, [svc, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...env,
      NATS_URL: natsUrl,
      SVC_BROADCAST: '1',
      SVC_DATA_DIR: join(dataDir, name),
      SVC_NAME: name,
      SVC_PORT: port,
    },
  }),
});

async function run(): Promise<void> {
  const given = env['NATS_URL'];
  const brokers = given ? [] : [await startBroker(join(dataDir, 'nats'), env['NATS_PORT'] || '4222')];
  const url = given || (brokers[0]?.url ?? '');
  if (interruption.signal.aborted) return stop(brokers);
  const services = [
    startService('shop', ['start', join(here, 'shop/main.js')], env['SHOP_PORT'] || '3001', url),
    startService(
      'warehouse',
      ['start', join(here, 'warehouse/main.js')],
      env['WAREHOUSE_PORT'] || '3002',
      url,
    ),
    startService('monitor', ['monitor'], env['MONITOR_PORT'] || '3030', url),
  ];
  const ended = await Promise.race([firstEnd([...services, ...brokers]), once(interruption.signal, 'abort')]);
  await stop(services);
  await stop(brokers);
  if (interruption.signal.aborted) return;
  throw new Problem('invalid-setup', { detail: `${String(ended)} has exited; stopping the others.` });
}

await run().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`two-services: ${error instanceof Problem ? (error.detail ?? '') : String(error)}\n`);
});
