import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runPostChecks } from './post.js';
import { durationOf, untilPasses } from '../../runtime/testing/until.js';

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
  const { ok, checks } = await runPostChecks({ url, readyWithinMs });
  assert.not(ok);
  return checks.filter((check) => !check.ok).map(({ name, detail }) => `${name}: ${detail}`);
};

test('one that is not there is not ready', async () => {
  let closed = '';
  await withServer(
    () => undefined,
    async (url) => void (closed = url),
  );
  // A machine that stalls for 5 s makes it a server that does not answer.
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
      assert.ok((await durationOf(failed)) < 15_000);
      assert.match((await failed)[0] ?? '', /did not answer within 5000 ms/);
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
        'error-rate: /metrics answered without the requests of a host.',
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

for (const url of ['', 'orders', 'file:///etc/passwd', 'http://ann:secret@127.0.0.1']) {
  test(`the URL '${url}' is refused`, async () => {
    const refusal = await runPostChecks({ url }).then(
      () => 'none',
      (error: unknown) => String(error),
    );
    assert.match(refusal, /must be such as http/);
  });
}
