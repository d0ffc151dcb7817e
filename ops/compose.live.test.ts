import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { suite } from '../contracts/testing/suite.js';
import { program } from '../runtime/testing/installed-program.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';

const test = suite('the programs of ops/compose.yaml');

const folder = fileURLToPath(new URL('../../ops/compose/', import.meta.url));
const run = promisify(execFile);

test('HAProxy accepts its configuration', async () => {
  const { stdout, stderr } = await run(await program('haproxy'), ['-c', '-f', join(folder, 'haproxy.cfg')]);
  assert.match(stdout + stderr, 'Configuration file is valid');
});

test('NATS accepts its configuration', () =>
  withFolder(async (temporary) => {
    const text = await readFile(join(folder, 'nats.conf'), 'utf8');
    assert.match(text, 'sync_interval: always');
    const path = join(temporary, 'nats.conf');
    // Debian's server is older than this setting.
    await writeFile(path, text.replace('sync_interval: always', '').replace('/data', temporary));
    const { stdout, stderr } = await run(await program('nats-server'), ['-t', '-c', path]);
    assert.match(stdout + stderr, 'is valid');
  }));

test('Prometheus accepts its configuration and the alerts that it names', () =>
  withFolder(async (temporary) => {
    const alerts = fileURLToPath(new URL('../../ops/grafana/alerts.yml', import.meta.url));
    const text = await readFile(join(folder, 'prometheus.yml'), 'utf8');
    const path = join(temporary, 'prometheus.yml');
    await writeFile(path, text.replace('/etc/prometheus/alerts.yml', alerts));
    const promtool = await program('promtool', 'prometheus');
    const { stdout, stderr } = await run(promtool, ['check', 'config', path]);
    assert.match(stdout + stderr, /SUCCESS: \d+ rules found/);
  }));

test('the health check of a host passes with 200 alone', async () => {
  const text = await readFile(new URL('../../ops/compose.yaml', import.meta.url), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    readonly services: Record<string, { readonly healthcheck: { readonly test: readonly string[] } }>;
  };
  const [kind, command = '', ...args] = services['host-1']?.healthcheck.test ?? [];
  assert.is(kind, 'CMD');
  const ownAt = (port: number) => args.map((each) => each.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
  assert.not.equal(ownAt(1), args);
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/health/ready' ? status : 404;
    response.end();
  });
  let status = 200;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const own = ownAt(port);
  const exitCode = (): Promise<unknown> =>
    run(command, own).then(
      () => 0,
      (error: { readonly code?: unknown }) => error.code,
    );
  try {
    assert.is(await exitCode(), 0);
    status = 503;
    assert.is(await exitCode(), 1);
  } finally {
    server.close();
  }
  assert.is(await exitCode(), 1, 'nothing answers');
});
