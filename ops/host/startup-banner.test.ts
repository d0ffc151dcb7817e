import { resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startupBanner } from './startup-banner.js';

const test = suite('startup banner');

const url = 'http://127.0.0.1:3000';
const config = { inspect: true, databaseUrl: undefined, dataDir: '.svc', natsUrl: undefined };

const bannerOf = (...parameters: Parameters<typeof startupBanner>): string[] =>
  startupBanner(...parameters)
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

test('the startup banner lists all addresses of a host', () => {
  assert.equal(bannerOf(url, { openApi: '{}', schema: 'type Query' }, config), [
    `API ${url}/docs`,
    `GraphQL ${url}/graphql`,
    `console ${url}/console`,
    `health ${url}/health`,
    `metrics ${url}/metrics`,
    `data embedded PostgreSQL in ${resolve('.svc')}`,
    'messages in this process',
  ]);
});

test('the startup banner omits what is absent, and passwords', () => {
  const elsewhere = {
    inspect: false,
    databaseUrl: 'postgres://ada:hunter2@db:5432/orders',
    dataDir: '.svc',
    natsUrl: 'nats://eve:hunter3@bus:4222',
  };
  assert.equal(bannerOf(url, { schema: '' }, elsewhere), [
    `health ${url}/health`,
    `metrics ${url}/metrics`,
    'data PostgreSQL at db:5432/orders',
    'messages NATS at bus:4222',
  ]);
});

test('the startup banner shows how to reach the embedded database, without its password', () => {
  const embedded = { url: 'postgres://svc:hunter2@127.0.0.1:40713/svc', passwordFile: '/data/password' };
  const lines = bannerOf(url, { schema: '' }, { ...config, embedded });
  assert.ok(lines.includes('psql PGPASSWORD=$(cat /data/password) psql -h 127.0.0.1 -p 40713 -U svc svc'));
  assert.not.match(lines.join('\n'), /hunter/);
});
