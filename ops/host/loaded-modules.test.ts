import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';

const test = suite('modules of a host');

test('a serving host has loaded no compiler, and without a broker no client of one', () => {
  const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { createRequire } from 'node:module';
    await import(${urlOf('./host.js')});
    const { createHttpServer } = await import(${urlOf('../../endpoints/routes/http-server.js')});
    const { createStartupServer } = await import(${urlOf('../../endpoints/routes/startup-server.js')});
    const starting = createStartupServer(() => undefined);
    await starting.listen(0, '127.0.0.1');
    const server = createHttpServer([], { deadlineMs: 1_000 }, { bodyLimit: 1_000 });
    await server.listen(0, '127.0.0.1');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    const packages = loaded.map((path) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(packages)]));
    process.exit();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.is(stderr, '');
  const packages = JSON.parse(stdout) as string[];
  assert.ok(packages.includes('fastify'));
  const compilers = [
    'typescript',
    'esbuild',
    'ajv',
    '@ts-morph/common',
    'libpg-query',
    '@fastify/ajv-compiler',
  ];
  const clients = ['nats', 'amqplib'];
  assert.equal(
    packages.filter((name) => [...compilers, ...clients].includes(name)),
    [],
  );
});
