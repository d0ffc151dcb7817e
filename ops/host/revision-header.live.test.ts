import { once } from 'node:events';
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { svc, withListening } from '../testing/spawned-host.js';

const test = suite('the revision in every answer');

const json = { 'content-type': 'application/json' };

test('commands, GraphQL, reads, probes, pages, refusals and broken requests name the revision that answers', () =>
  withDatabase((url) =>
    withListening(
      ['start', 'examples/orders', '--port', '0'],
      { DATABASE_URL: url, SVC_REVISION: '1.4.0', SVC_PORT: '1' },
      async (host) => {
        const answers = await Promise.all([
          fetch(`${host.url}/customers`, {
            method: 'POST',
            headers: json,
            body: JSON.stringify({ email: 'ann@example.org', name: 'Ann' }),
          }),
          fetch(`${host.url}/orders`, { method: 'POST', headers: json, body: '{' }),
          fetch(`${host.url}/orders/cancel`, { method: 'POST', headers: json, body: '{}' }),
          fetch(`${host.url}/graphql`, {
            method: 'POST',
            headers: json,
            body: '{"query":"{ __typename }"}',
          }),
          ...['/orders', '/health', '/health/ready', '/metrics', '/openapi.json', '/console', '/nowhere'].map(
            (path) => fetch(host.url + path),
          ),
        ]);
        assert.equal(
          answers.map((answer) => answer.headers.get('svc-revision')),
          answers.map(() => '1.4.0'),
        );
        assert.equal(
          answers.slice(0, 4).map(({ status }) => status),
          [200, 400, 422, 200],
        );
        assert.match(
          await answerTo(host.url, 'nonsense\r\n\r\n'),
          /^HTTP\/1\.1 400 [^]*\r\nsvc-revision: 1\.4\.0\r\n/,
        );
      },
    ),
  ));

test('without SVC_REVISION, answers name the version of the service', () =>
  withDatabase((url) =>
    withListening(
      ['start', 'examples/orders', '--port', '0'],
      { DATABASE_URL: url, SVC_PORT: '1' },
      async (host) => {
        const { headers } = await fetch(`${host.url}/health/ready`);
        assert.is(headers.get('svc-revision'), '1.0.0');
      },
    ),
  ));

test('a text that is no name of a revision is refused on one line, and so is a bad --port', async () => {
  const named = await svc(['start', 'examples/orders'], { SVC_REVISION: 'a\tb' });
  assert.equal(
    [named.code, /^svc: SVC_REVISION must be [^\n]+\n$/.test(named.stderr)],
    [1, true],
    named.stderr,
  );
  const port = await svc(['start', 'examples/orders', '--port', '70000']);
  assert.match(port.stderr, /^svc: --port must be a whole number from 0 to 65535, not '70000'; [^\n]+\n$/);
});

async function answerTo(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.end(request);
  await once(socket, 'close');
  return text;
}
