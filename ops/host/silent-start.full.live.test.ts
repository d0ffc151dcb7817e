import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { durationOf, until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { startCli, withOrders } from '../testing/spawned-host.js';

const test = suite('a start behind a line that falls silent');

/** Half a minute until the connection is given up, and the time that parts of the host have to stop. */
const endedWithinMs = 150_000;
/** Of what a whole start sends: from a server that accepts and never answers to the last statements. */
const moments = [0, 0.02, 0.15, 0.4, 0.65, 0.85];
const atOnce = 3;

/** What a start sends before it listens, once the schema is there. */
async function bytesOfStart(url: string): Promise<number> {
  let sent = 0;
  await withOrders({ DATABASE_URL: url }, async () => undefined);
  await withProxy(url, (line) =>
    withOrders({ DATABASE_URL: line.url }, async () => void (sent = line.sentBytes())),
  );
  return sent;
}

async function endsInTime(url: string, bytes: number): Promise<void> {
  await withProxy(url, async (line) => {
    line.silenceAfter(bytes);
    const host = startCli(['start', 'examples/orders'], { DATABASE_URL: line.url, SVC_LOG: 'fatal' });
    // What is left to do is retried by a host that has started.
    const listens = new Promise<'listens'>((resolve) => host.onLine(() => resolve('listens')));
    const outcome = Promise.race([listens, host.ended.then(({ code }) => code)]);
    try {
      const took = await durationOf(outcome);
      assert.ok(took < endedWithinMs, `after ${bytes} bytes it took ${took} ms`);
      if ((await outcome) === 'listens') return;
      assert.is(await outcome, 1, `after ${bytes} bytes`);
      assert.match(host.output.stderr.join(''), oneLine, `after ${bytes} bytes`);
    } finally {
      await host.kill('SIGKILL');
    }
  });
}

const oneLine = /^svc: (?:PostgreSQL does not answer|None of \d+ connections became free) .*\n$/;

test('whenever the line to the database falls silent, the host starts or ends with one line', () =>
  withStore(async (url) => {
    const whole = await bytesOfStart(url);
    const left = moments.map((share) => Math.floor(share * whole));
    const next = async (): Promise<void> => {
      for (let bytes = left.pop(); bytes !== undefined; bytes = left.pop()) await endsInTime(url, bytes);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }));

test('it continues when the line works again', () =>
  withStore(async (url) => {
    const whole = await bytesOfStart(url);
    await withProxy(url, async (line) => {
      line.silenceAfter(whole / 2);
      await resumesAfter(line, whole / 2, () =>
        withOrders({ DATABASE_URL: line.url }, async () => undefined),
      );
    });
  }));

/** A moment after it has fallen silent. */
async function resumesAfter(line: NetworkProxy, bytes: number, start: () => Promise<void>): Promise<void> {
  const resumed = until(() => line.sentBytes() > bytes).then(() => setTimeout(line.resume, 900));
  await Promise.all([resumed, start()]);
}

test('a host listens although its broker accepts connections and never answers', () =>
  withStore((url) =>
    withNatsServer((nats) =>
      withProxy(nats.url, async (line) => {
        line.silence();
        await withOrders({ DATABASE_URL: url, NATS_URL: line.url }, async (host) => {
          const live = await fetch(new URL('/health/live', host.url));
          assert.is(live.status, 200);
        });
      }),
    ),
  ));
