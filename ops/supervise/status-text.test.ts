import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { statusText } from './status-text.js';

const test = suite('status text');

const now = 10_000_000;
const running = { state: 'running', restarts: 0, pid: 12, memory: 90_400_000 } as const;

test('it shows the address, and one line for each host', () => {
  const hosts = [
    { name: 'north-1', ...running, since: now - 30_000 },
    { name: 'north-2', ...running, since: now - 600_000 },
    {
      name: 'north-10',
      state: 'crashed',
      restarts: 3,
      since: now - 8_000_000,
      pid: undefined,
      memory: undefined,
      lastError: 'it is gone',
    },
  ] as const;
  const quarantined = [
    { command: 'ShipOrder', key: '4711', until: now + 60_000 },
    { command: 'PayOrder', until: now + 600_000 },
  ];
  const shop = { pid: 7, app: 'shop', url: 'http://here', state: 'running', wanted: 3 } as const;
  const status = { ...shop, hosts, quarantined };
  const text = statusText(status, now);
  assert.equal(text.split('\n'), [
    'shop at http://here: running, process 7',
    'host      state    process  restarts  memory  for     last error',
    'north-1   running  12       0         90 MB   30 s',
    'north-2   running  12       0         90 MB   10 min',
    'north-10  crashed           3                 2 h     it is gone',
    'in quarantine: ShipOrder (key 4711), for 60 s more',
    'in quarantine: PayOrder, for 10 min more',
    '',
  ]);
});

test('while it scales it shows how many hosts are wanted, and afterwards why one did not start', () => {
  const shop = { pid: 7, app: 'shop', url: 'http://here', wanted: 0, hosts: [], quarantined: [] } as const;
  const [first] = statusText({ ...shop, state: 'scaling' }, now).split('\n');
  assert.is(first, 'shop at http://here: scaling to 0 hosts, process 7');
  const failed = { ...shop, state: 'running', lastError: 'north-3 did not start' } as const;
  assert.ok(statusText(failed, now).endsWith('\nnorth-3 did not start\n'));
});

test('line breaks and control characters in a key or an error are escaped', () => {
  const forged = 'gone\r\nnorth-2  running\u001b[2J';
  const status = {
    pid: 7,
    app: 'shop',
    url: 'http://here',
    state: 'running',
    wanted: 1,
    hosts: [{ name: 'north-1', ...running, since: now, lastError: forged }],
    quarantined: [{ command: 'ShipOrder', key: forged, until: now + 60_000 }],
  } as const;
  const [, , host, refused, ...rest] = statusText(status, now).split('\n');
  const shown = 'gone\\u000d\\u000anorth-2  running\\u001b[2J';
  assert.ok(host?.endsWith(`  ${shown}`), host);
  assert.is(refused, `in quarantine: ShipOrder (key ${shown}), for 60 s more`);
  assert.equal(rest, ['']);
});
