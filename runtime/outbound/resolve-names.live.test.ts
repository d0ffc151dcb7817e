import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startDnsServer } from '../testing/dns-server.js';
import { nameResolver } from './resolve-names.js';

const test = suite('addresses of names');

/** Asks the server at this port alone. */
function asking(port: number): (name: string) => Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const resolve = nameResolver(resolver);
  return (name) =>
    new Promise((found, failed) =>
      resolve(name, { all: true }, (error, addresses) => (error === null ? found(addresses) : failed(error))),
    );
}

test('a name has all the addresses of both families, and may lack one of them', async () => {
  const dns = await startDnsServer(['8.8.8.8', '10.0.0.1']);
  try {
    assert.equal(await asking(dns.port)('hooks.example'), [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
    assert.is(dns.asked, 2);
  } finally {
    dns.close();
  }
});

test('localhost is this machine, and no server is asked', async () => {
  const dns = await startDnsServer(['8.8.8.8']);
  try {
    for (const name of ['localhost', 'LOCALHOST.', 'hooks.localhost'])
      assert.equal(
        (await asking(dns.port)(name)).map(({ address }) => address),
        ['127.0.0.1', '::1'],
        name,
      );
    assert.is(dns.asked, 0);
  } finally {
    dns.close();
  }
});

test('servers that never answer hold up no other name', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const dns = await startDnsServer(['8.8.8.8']);
  try {
    const ended: string[] = [];
    const unanswered = Array.from({ length: 20 }, (_, nth) =>
      asking(silent.address().port)(`n${nth}.example`).catch(() => ended.push('silent')),
    );
    await asking(dns.port)('hooks.example');
    ended.push('answered');
    await Promise.all(unanswered);
    assert.is(ended[0], 'answered');
    assert.is(ended.length, 21);
  } finally {
    silent.close();
    dns.close();
  }
});
