import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { svc } from '../testing/spawned-host.js';
import { linksOf } from './inspect.js';

const test = suite('svc inspect');

test('the links of a host are where its port is', async () => {
  const { code, stdout } = await svc(['inspect', '--json'], { SVC_PORT: '8080' });
  assert.is(code, 0);
  assert.equal(JSON.parse(stdout), {
    inspector: 'ws://127.0.0.1:8080/inspect',
    machines: 'http://127.0.0.1:8080/machines',
    console: 'http://127.0.0.1:8080/console',
  });
});

test('for people they are lines, for another host with its token', async () => {
  const { stdout } = await svc(['inspect', '--url', 'https://orders.example/'], {
    SVC_INSPECT_TOKEN: 'let me',
  });
  assert.match(stdout, 'console    https://orders.example/console#t=let%20me\n');
  assert.match(stdout, 'inspector  wss://orders.example/inspect?t=let+me ');
});

test('what is no URL is said to be none', async () => {
  assert.throws(() => linksOf('localhost:3000'), /'localhost:3000' is no URL/);
  const { code, stderr } = await svc(['inspect', '--link']);
  assert.is(code, 1);
  assert.match(stderr, 'svc inspect --help tells more');
});

test.run();
