import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { callableAddresses } from './callable-addresses.js';
import { guardedFetch } from './guarded-fetch.js';

const test = suite('guarded fetch');

/** What users give to reach what is not theirs. */
const hostile = [
  // Not https
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'ws://example.com/',
  '//example.com/',
  'example.com',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  ' https://example.com/',
  '',
  // Credentials, ports, forms that a parser mends
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:8443/',
  'https://example.com:0/',
  'https://example.com:99999/',
  'https://exa\nmple.com/',
  'https://exam\tple.com/',
  'https://example.com\\@127.0.0.1/',
  'https://example.com/a b',
  'https://',
  'https://[::1',
  `https://example.com/${'x'.repeat(2_048)}`,
  // Loopback, in all its forms
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  // Private networks, metadata, and their disguises
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://169.254.169.254/',
  'https://0251.0376.0251.0376/',
  'https://169。254。169。254/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[::ffff:0:7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[2001:0:4136:e378::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
];

test('of hostile URLs none is called', async () => {
  assert.ok(hostile.length >= 60, String(hostile.length));
  const call = guardedFetch({
    lookup: () => assert.unreachable('a name was looked up'),
  });
  for (const url of hostile) {
    const refused = await call(url).catch((error: unknown) => error);
    assert.is(refused instanceof Problem && refused.code, 'address-refused', url);
  }
});

test('a public name, address or allowed port may be called', () => {
  const { mustBeCallable } = guardedFetch({ allowedPorts: [8443], allowedAddresses: ['10.7.0.0/16'] });
  for (const url of [
    'https://example.com/hooks?a=1#b',
    'HTTPS://EXAMPLE.COM',
    'https://example.com:443/',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://10.7.1.2/',
  ])
    assert.is(mustBeCallable(url).protocol, 'https:', url);
  assert.throws(() => mustBeCallable('https://10.8.1.2/'), /not a public one/);
});

test('an address that is allowed allows no other one', () => {
  const mayCall = callableAddresses(['127.0.0.1', 'fd00::/8']);
  assert.equal(
    ['127.0.0.1', '127.0.0.2', '::ffff:127.0.0.1', 'fd00::1', 'fc00::1', 'no address'].map((one) =>
      mayCall(one),
    ),
    [true, false, false, true, false, false],
  );
});

for (const allowed of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', 'example.com', '10.0.0.0/', ''])
  test(`'${allowed}' is refused as an allowed network`, () => {
    assert.throws(() => callableAddresses([allowed]), /not an address or a network/);
  });
