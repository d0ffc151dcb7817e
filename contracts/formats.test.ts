import * as assert from 'uvu/assert';
import { type FormatName, formats } from './formats.js';
import { suite } from './testing/suite.js';

const test = suite('formats');

const cases: Readonly<Record<FormatName, readonly [right: readonly string[], wrong: readonly string[]]>> = {
  date: [
    ['2026-01-31', '2024-02-29'],
    ['2026-02-29', '31.01.2026', '2026-01-31T00:00:00Z', ''],
  ],
  'date-time': [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+02:00'],
    ['2026-01-31', '2026-01-31T25:00:00Z'],
  ],
  email: [
    ['ada@example.com', "o'hara+tag@mail.example.org", 'root@localhost', 'a@b'],
    [
      'ada',
      '@example.com',
      'ada@',
      'a b@example.com',
      'ada@exa_mple.com',
      'ada@-a.com',
      '.ada@a.com',
      'a..b@a.com',
    ],
  ],
  hostname: [
    ['example.com', 'localhost', 'a-1.b', '1.2.3.4'],
    ['', '-a.com', 'a-.com', 'a..b', 'exämple.com', 'a b'],
  ],
  ipv4: [
    ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
    ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
  ],
  ipv6: [
    ['2001:db8::1', '::', '::ffff:192.0.2.1'],
    ['2001:db8', '1.2.3.4', ':::', '::1]/', 'fe80::1%eth0'],
  ],
  'json-pointer': [
    ['', '/', '/a/b', '/a~1b/~0'],
    ['a', '/a~2', '/~'],
  ],
  time: [
    ['09:30:00Z', '09:30:00.25+01:00'],
    ['09:30', '25:00:00Z', '09:30:00'],
  ],
  uri: [
    ['https://example.com/a?b#c', 'urn:svc:x', 'mailto:ada@example.com'],
    ['example.com', '/a', 'http://a b', 'x:%zz'],
  ],
  url: [
    ['https://example.com/', 'http://localhost:3000/a?b=%20'],
    ['ftp://example.com', 'urn:svc:x', 'https://', '//a'],
  ],
  uuid: [
    ['01980d2e-7c5f-7aaa-8c1d-2f6f0a1b9c3d', '01980D2E-7C5F-7AAA-8C1D-2F6F0A1B9C3D'],
    ['7', '01980d2e7c5f7aaa8c1d2f6f0a1b9c3d'],
  ],
};

for (const [name, [right, wrong]] of Object.entries(cases)) {
  const { is, description } = formats[name as FormatName];
  for (const text of right) test(`'${text}' is ${description}`, () => assert.ok(is(text)));
  for (const text of wrong) test(`'${text}' is not ${description}`, () => assert.not.ok(is(text)));
}

test('an e-mail address is at most as long as SMTP allows', () => {
  assert.ok(formats.email.is(`${'a'.repeat(64)}@example.com`));
  assert.not.ok(formats.email.is(`${'a'.repeat(65)}@example.com`));
  assert.not.ok(formats.email.is(`a@${'b.'.repeat(130)}com`));
});
