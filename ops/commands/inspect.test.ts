import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { svc } from '../testing/spawned-host.js';
import { linksOf } from './inspect.js';

const test = suite('svc inspect');

test('the links of a host have its port', async () => {
  const { code, stdout } = await svc(['inspect', '--json'], { SVC_PORT: '8080' });
  assert.is(code, 0);
  assert.equal(JSON.parse(stdout), {
    inspector: 'ws://127.0.0.1:8080/inspect',
    machines: 'http://127.0.0.1:8080/machines',
    console: 'http://127.0.0.1:8080/console',
  });
});

test('for people the links are lines, and those of another host carry its token', async () => {
  const { stdout } = await svc(['inspect', '--url', 'https://orders.example/'], {
    SVC_INSPECT_TOKEN: 'let me',
  });
  assert.match(stdout, 'console    https://orders.example/console#t=let%20me\n');
  assert.match(stdout, 'inspector  wss://orders.example/inspect?t=let+me ');
});

test('an address where no host answers is reported, because a host may have another port', async () => {
  const { code, stdout, stderr } = await svc(['inspect', '--url', 'http://127.0.0.1:9']);
  assert.equal(
    [code, stderr],
    [0, 'No host answers at http://127.0.0.1:9; give its address: svc inspect --url URL\n'],
  );
  assert.match(stdout, 'console    http://127.0.0.1:9/console\n');
});

test('a value that is not a URL is refused', async () => {
  assert.throws(() => linksOf('localhost:3000'), /'localhost:3000' is not a URL/);
  const { code, stderr } = await svc(['inspect', '--link']);
  assert.is(code, 1);
  assert.match(stderr, 'see svc inspect --help');
});
