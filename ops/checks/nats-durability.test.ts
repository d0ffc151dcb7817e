import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { flushingServerIn, natsDurability } from './nats-durability.js';

const test = suite('NATS durability');

/** The members of recorded answers that count. */
const varz = (version: string, jetstream: unknown) =>
  JSON.stringify({ server_id: 'NABF4X66', version, proto: 1, jetstream, uptime: '1s' });
const store = { max_memory: 12_573_321_216, max_storage: 82_196_336_640, store_dir: '/data/jetstream' };
const answers = {
  '2.9.10': varz('2.9.10', { config: store, stats: {} }),
  '2.10.29': varz('2.10.29', { config: { ...store, sync_interval: 120_000_000_000 }, stats: {} }),
  '2.10.29, sync_interval: always': varz('2.10.29', {
    config: { ...store, sync_interval: 120_000_000_000, sync_always: true },
    stats: {},
  }),
  '2.10.29 without JetStream': varz('2.10.29', {}),
};

const detailOf = (text: string): string => {
  try {
    return flushingServerIn(text, 'n1:8222');
  } catch (error) {
    return error instanceof Problem ? (error.detail ?? '') : String(error);
  }
};

test('only a server that flushes each message before it acknowledges it passes', () => {
  assert.equal(Object.values(answers).map(detailOf), [
    'n1:8222 is NATS 2.9.10, which cannot flush each message: use 2.10 or newer.',
    'n1:8222 acknowledges messages before they are on its disk: set sync_interval: always.',
    'NATS 2.10.29 at n1:8222',
    'JetStream is off at n1:8222.',
  ]);
});

for (const other of ['', '<html>', 'null', '[]', '{"version":2}', '{}'])
  test(`an answer such as ${JSON.stringify(other)} is not one of a NATS server`, () => {
    assert.is(detailOf(other), 'n1:8222 is not the monitoring port of a NATS server.');
  });

test('without the address of a monitor nothing is checked, and the line says so', async () => {
  assert.equal(await natsDurability(), {
    name: 'nats-durability',
    ok: true,
    detail: 'not checked (--nats-monitor URL)',
  });
});

test('every server is read at /varz, and one that does not flush fails the check', async () => {
  const good = await served(answers['2.10.29, sync_interval: always']);
  const bad = await served(answers['2.10.29']);
  try {
    const passing = await natsDurability([good.url]);
    assert.is(passing.detail, `flushed before they are acknowledged: NATS 2.10.29 at ${good.url.host}`);
    const { ok, detail } = await natsDurability([good.url, bad.url]);
    assert.is(ok, false);
    assert.match(detail, `${bad.url.host} acknowledges messages before they are on its disk`);
    const elsewhere = await natsDurability([new URL('/console', good.url)]);
    assert.match(elsewhere.detail, '/console/varz answered 404: name the monitoring port');
  } finally {
    good.close();
    bad.close();
  }
});

async function served(answer: string): Promise<{ readonly url: URL; readonly close: () => void }> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/varz' ? 200 : 404;
    response.end(answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), close: () => server.close() };
}
