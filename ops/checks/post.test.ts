import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runPostChecks } from './post.js';
import { durationOf, untilPasses } from '../../runtime/kit/until.js';

const test = suite('post-deployment checks of a server that is not ours');

async function withServer(listener: RequestListener, body: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const endless: RequestListener = (_, response) => {
  const chunk = 'x'.repeat(1 << 16);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

const failedChecks = async (url: string, readyWithinMs = 0): Promise<readonly string[]> => {
  const { ok, checks } = await runPostChecks({ url, readyWithinMs, askForMs: 0 });
  assert.not(ok);
  return checks.filter((check) => !check.ok).map(({ name, detail }) => `${name}: ${detail}`);
};

test('one that is not there is not ready', async () => {
  let closed = '';
  await withServer(
    () => undefined,
    async (url) => void (closed = url),
  );
  // A machine that stalls for 10 s makes it a server that does not answer.
  await untilPasses(async () => {
    const [health] = await failedChecks(closed);
    assert.is(health, `health: Not ready within 0 s: ${closed} cannot be reached (ECONNREFUSED).`);
  });
});

test('one that never answers ends the check in time', () =>
  withServer(
    () => undefined,
    async (url) => {
      const failed = failedChecks(url);
      assert.ok((await durationOf(failed)) < 20_000);
      assert.match((await failed)[0] ?? '', /did not answer within 10 s/);
    },
  ));

test('one that redirects is not followed', () =>
  withServer(
    (_, response) => response.writeHead(302, { location: '/health/ready2' }).end(),
    async (url) => {
      assert.match((await failedChecks(url))[0] ?? '', /\/health\/ready answered 302/);
    },
  ));

test('documents without end and documents that are not JSON fail the check that reads them', () =>
  withServer(
    (request, response) => {
      if (request.url === '/health/ready') response.end('{}');
      else if (request.url === '/metrics') endless(request, response);
      else response.end('<html>');
    },
    async (url) => {
      await untilPasses(async () => {
        const [create, rate] = await failedChecks(url);
        assert.is(create, 'smoke-create: The host did not answer with a JSON object.');
        assert.match(rate ?? '', /^error-rate: The answer is longer than \d+ bytes\.$/);
      });
    },
  ));

test('a host of which more than 5 % of the requests failed fails the error rate, and one without a smoke test passes that', () =>
  withServer(
    (request, response) => {
      const count = 'http_server_request_duration_seconds_count{http_response_status_code=';
      const counts = `${count}"200"} 94\n${count}"500"} 6\n`;
      response.statusCode = request.url === '/openapi.json' ? 404 : 200;
      response.end(request.url === '/metrics' ? counts : '{}');
    },
    async (url) => {
      assert.equal(await failedChecks(url), [
        'error-rate: 6 of 100 requests failed (6.0 %, at most 5 % may)',
      ]);
    },
  ));

test('metrics that are a page, or whose sums are no numbers, do not pass for metrics without errors', () => {
  let metrics = '<html>sign in';
  return withServer(
    (request, response) => {
      response.statusCode = request.url === '/openapi.json' ? 404 : 200;
      response.end(request.url === '/metrics' ? metrics : '{}');
    },
    async (url) => {
      assert.equal(await failedChecks(url), [
        'error-rate: /metrics showed no requests of a host for 0 s; check that the URL is that of the service, and that its hosts are not overloaded.',
      ]);
      const count = 'http_server_request_duration_seconds_count{http_response_status_code=';
      const huge = Array.from({ length: 3 }, () => `${count}"200"} 1e308\n`).join('');
      metrics = `${huge}${count}"200"} 94\n${count}"500"} 6\n`;
      assert.equal(await failedChecks(url), [
        'error-rate: 6 of 100 requests failed (6.0 %, at most 5 % may)',
      ]);
    },
  );
});

test('a host that does not answer at first, or whose metrics are missing at first, is asked again', () => {
  const asked = new Map<string, number>();
  const smoke = { create: { path: '/loaves', body: {} }, read: { path: '/loaves/1' } };
  const bodies = {
    '/openapi.json': JSON.stringify({ openapi: '3.1.0', 'x-smoke-test': smoke }),
    '/metrics': 'http_server_request_duration_seconds_count{http_response_status_code="200"} 9\n',
  } as Readonly<Record<string, string>>;
  return withServer(
    (request, response) => {
      const path = request.url ?? '';
      const time = (asked.get(path) ?? 0) + 1;
      asked.set(path, time);
      if (time === 1) return void request.socket.destroy();
      response.statusCode = time === 2 ? 503 : 200;
      response.end(time === 3 && path === '/metrics' ? '# no host answered' : (bodies[path] ?? '{}'));
    },
    async (url) => {
      const { ok, checks } = await runPostChecks({ url });
      assert.ok(ok, JSON.stringify(checks));
      assert.equal(
        checks.map(({ name }) => name),
        ['health', 'smoke-create', 'smoke-read', 'error-rate'],
      );
      assert.is(asked.get('/metrics'), 4);
    },
  );
});

for (const url of ['', 'orders', 'file:///etc/passwd', 'http://ann:secret@127.0.0.1']) {
  test(`the URL '${url}' is refused`, async () => {
    const refusal = await runPostChecks({ url }).then(
      () => 'none',
      (error: unknown) => String(error),
    );
    assert.match(refusal, /must be such as http/);
  });
}
