import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { networkOf, TrustedProxies } from './trusted-proxies.js';

const test = suite('trusted proxies');

const proxies = new TrustedProxies(['10.0.0.7', '192.168.0.0/16', 'fd00::/8']);
const from = (remoteAddress: string, headers: Record<string, string> = {}) => ({
  headers,
  socket: { remoteAddress },
});
const forwarded = (remoteAddress: string, list: string) => from(remoteAddress, { 'x-forwarded-for': list });

test('the address of a client is that of its connection', () => {
  assert.is(proxies.addressOf(from('203.0.113.5')), '203.0.113.5');
  assert.is(proxies.addressOf(from('::ffff:203.0.113.5')), '203.0.113.5');
  assert.is(new TrustedProxies().addressOf(forwarded('10.0.0.7', '203.0.113.5')), '10.0.0.7');
});

test('only a trusted proxy may name another address', () => {
  assert.is(proxies.addressOf(forwarded('203.0.113.9', '203.0.113.5')), '203.0.113.9');
  for (const proxy of ['10.0.0.7', '::ffff:10.0.0.7', '192.168.3.4', 'fd00::1'])
    assert.is(proxies.addressOf(forwarded(proxy, '203.0.113.5')), '203.0.113.5', proxy);
});

test('of a list, the last address that is not a trusted proxy counts', () => {
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '1.1.1.1, 203.0.113.5, 192.168.3.4')), '203.0.113.5');
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '192.168.3.5, 192.168.3.4')), '192.168.3.5');
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '203.0.113.5, unknown')), '10.0.0.7');
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '')), '10.0.0.7');
});

test('addresses may have ports and brackets', () => {
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '203.0.113.5:4711')), '203.0.113.5');
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '[2001:db8::1]:4711')), '2001:db8::1');
  assert.is(proxies.addressOf(forwarded('10.0.0.7', '2001:db8::1')), '2001:db8::1');
});

test('a Forwarded header counts, too', () => {
  const header = 'for=1.1.1.1;proto=http, By=a;For="[2001:db8::1]:4711"';
  assert.is(proxies.addressOf(from('10.0.0.7', { forwarded: header })), '2001:db8::1');
  assert.is(proxies.addressOf(from('10.0.0.7', { forwarded: 'for=_hidden' })), '10.0.0.7');
});

test('two headers that contradict each other name nobody', () => {
  const headers = { 'x-forwarded-for': '203.0.113.5', forwarded: 'for=1.1.1.1' };
  assert.is(proxies.addressOf(from('10.0.0.7', headers)), '10.0.0.7');
  assert.is(proxies.addressOf(from('10.0.0.7', { ...headers, forwarded: 'for=203.0.113.5' })), '203.0.113.5');
});

test('a connection is encrypted if it is, or if a trusted proxy says so', () => {
  const https = { 'x-forwarded-proto': 'https' };
  assert.ok(proxies.isEncrypted(from('10.0.0.7', https)));
  assert.not.ok(proxies.isEncrypted(from('203.0.113.5', https)));
  assert.not.ok(proxies.isEncrypted(from('10.0.0.7', { 'x-forwarded-proto': 'https, http' })));
  assert.ok(proxies.isEncrypted({ headers: {}, socket: { encrypted: true } }));
});

test('a network of IPv6 addresses is one client', () => {
  assert.is(networkOf('2001:db8::1'), networkOf('2001:db8:0:0:ffff::2'));
  assert.is.not(networkOf('2001:db8::1'), networkOf('2001:db8:0:1::1'));
  assert.is(networkOf('::1'), '0:0:0:0::/64');
  assert.is(networkOf('203.0.113.5'), '203.0.113.5');
});
