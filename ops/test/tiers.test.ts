import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { findTestFiles, isLive } from './find-test-files.js';
import { neededBy, readImports } from './imports.js';
import { builtRoots, pathOf } from './roots.js';
import { beyondDatabase, filesOf, heavyServers, promises, type Tier } from './tiers.js';

const test = suite('tiers');

const imports = new Map([
  ['runtime/outbox/amqp.live.test.js', ['runtime/testing/rabbitmq-server.js']],
  ['runtime/outbox/killed.live.test.js', ['runtime/testing/process-root.js']],
  ['ops/host/nats.live.test.js', ['runtime/testing/nats-server.js']],
]);
const files = [
  'contracts/uuid.test.js',
  'ops/bench/main.test.js',
  'ops/chaos/main.test.js',
  'ops/docs/site.test.js',
  'ops/test/runner.test.js',
  'runtime/outbox/amqp.live.test.js',
  'runtime/outbox/backlog.live.test.js',
  'runtime/outbox/killed.live.test.js',
  'runtime/outbox/soak.full.live.test.js',
  'ops/host/nats.live.test.js',
  'ops/host/pages.live.test.js',
];
const taken = (tier: Tier): string[] => filesOf(tier, files, imports);

test('npm test runs unit files but not those of tools, live files that need PostgreSQL alone, and promises', () => {
  assert.equal(taken('quick'), [
    'contracts/uuid.test.js',
    'runtime/outbox/backlog.live.test.js',
    'ops/host/nats.live.test.js',
  ]);
});

test('all is everything but the long files, and full is everything', () => {
  assert.equal(
    taken('all'),
    files.filter((file) => !file.includes('.full.')),
  );
  assert.equal(taken('full'), files);
});

test('what npm test runs and the rest are all, and share no file', () => {
  assert.equal([...taken('quick'), ...taken('rest')].toSorted(), taken('all').toSorted());
});

test('every promise has its file, every helper exists, and npm test needs no Chromium, HAProxy or RabbitMQ', async () => {
  const roots = await builtRoots();
  for (const file of [...Object.values(promises), ...heavyServers, ...beyondDatabase])
    assert.ok(existsSync(pathOf(roots, file)), file);
  const real = await readImports(roots);
  const quick = filesOf('quick', await findTestFiles(roots), real);
  for (const file of quick.filter(isLive))
    for (const server of heavyServers)
      assert.not(neededBy(file, real).has(server), `${file} needs ${server}`);
});

test('npm test runs every contract suite that a live file runs on PostgreSQL', async () => {
  const roots = await builtRoots();
  const real = await readImports(roots);
  const quick = new Set(filesOf('quick', await findTestFiles(roots), real));
  const onPostgres = [...real]
    .filter(([file, direct]) => isLive(file) && direct.some((path) => /-contract\.js$/.test(path)))
    .map(([file]) => file)
    .filter((file) => file.includes('/postgres-'));
  assert.ok(onPostgres.length >= 3);
  assert.equal(
    onPostgres.filter((file) => !quick.has(file)),
    [],
  );
});
