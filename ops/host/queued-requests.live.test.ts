import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { type Answered, jsonOf, keyed, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withLiveHosts } from '../testing/live-hosts.js';
import till from '../testing/queueing-till.js';
import { withHost } from '../testing/probed-host.js';
import { withListening } from '../testing/spawned-host.js';

const test = suite('requests with an idempotency key whose commands queue');

const service = fileURLToPath(builtForProcess(new URL('../testing/queueing-till.js', import.meta.url)));

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** A till, and payments at it, each known by its number. */
function payments() {
  const tillId = newUuid();
  const pay = (url: string, n: number): Promise<Answered> =>
    post(url, { tillId, amount: n }, { path: '/payments', ...keyed(`${tillId}/${n}`) });
  return {
    pay,
    /** As a client does that was refused because the first request is still under way. */
    payPatiently: async (url: string, n: number): Promise<Answered> => {
      const answers: Answered[] = [];
      await until(async () => answers.unshift(await pay(url, n)) > 0 && answers[0]?.status !== 409);
      const [answer] = answers;
      assert.ok(answer);
      return answer;
    },
    stored: async (url: string) =>
      (
        await rowsOf(
          url,
          `SELECT data->>'amount' FROM svc_event_stream WHERE stream_id = '${tillId}' ORDER BY stream_position`,
        )
      ).map(([amount]) => Number(amount)),
    audits: async (url: string) =>
      (await rowsOf(url, `SELECT 1 FROM svc_system_events WHERE event_type = 'CommandAudited'`)).length,
  };
}

const numberIn = (answer: Answered): number => (jsonOf(answer) as { number: number }).number;

test('the same request at once, on two hosts: executed once, and each gets the same answer', () =>
  withLiveHosts({ definition: till, count: 2 }, async (hosts, _start, databaseUrl) => {
    const { payPatiently, stored, audits } = payments();
    const urls = hosts.flatMap(({ url }) => [url, url]);
    const answers = await Promise.all(
      upTo(12).map((n) => Promise.all(urls.map((url) => payPatiently(url, n)))),
    );
    for (const same of answers) {
      assert.equal([...new Set(same.map(({ status, text }) => `${status} ${text}`))].length, 1);
      assert.is(same.filter(({ headers }) => headers['idempotency-replayed'] !== 'true').length, 1);
    }
    const order = await stored(databaseUrl);
    assert.equal(
      answers.map(([answer]) => answer && numberIn(answer)),
      upTo(12).map((n) => order.indexOf(n) + 1),
    );
    assert.equal([order.length, await audits(databaseUrl)], [12, 12]);
  }));

for (const failpoint of ['store-before-commit', 'store-after-commit']) {
  test(`a host dies at ${failpoint} with a queue: every request that is sent again is executed once`, () =>
    withStore(async (DATABASE_URL) => {
      const { pay, payPatiently, stored, audits } = payments();
      const numbers = upTo(24);
      const acknowledged = new Map<number, number>();
      await withListening(
        ['start', service],
        { DATABASE_URL, SVC_FAILPOINTS: `${failpoint}@8` },
        async (host) => {
          await Promise.all(
            numbers.map((n) =>
              pay(host.url, n).then(
                (answer) => void acknowledged.set(n, numberIn(answer)),
                () => undefined,
              ),
            ),
          );
          assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
        },
      );
      assert.ok(acknowledged.size < numbers.length);
      await withHost(
        DATABASE_URL,
        async (host) => {
          const answers = await Promise.all(numbers.map((n) => payPatiently(host.url, n)));
          const order = await stored(DATABASE_URL);
          assert.equal(
            answers.map(numberIn),
            numbers.map((n) => order.indexOf(n) + 1),
          );
          for (const [n, number] of acknowledged) assert.is(order.indexOf(n) + 1, number);
          assert.equal([order.length, await audits(DATABASE_URL)], [24, 24]);
        },
        {},
        till,
      );
    }));
}
