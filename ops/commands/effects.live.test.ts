import * as assert from 'uvu/assert';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../../runtime/database/database.js';
import { until } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { operatorTools } from '../agents/operator-tools.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';
import { gateway, Remind, smsGateway, textingShop } from '../testing/texting-shop.js';

const test = suite('svc effects');

const other = gateway();
const dispatchers: Dispatcher[] = [];
const effect = smsGateway(other, { retries: { attempts: 1 } });
const shared = sharedHosts({ definition: textingShop(effect, (local) => dispatchers.push(local)) });
test.before(() => shared.start());
test.after(() => shared.stop());

interface Request {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly error: string | null;
}

const svc = (...args: string[]) =>
  svcInProcess(['effects', ...args], { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' });
const json = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await svc(...args, '--json')).stdout) as T;
const requestOf = async (key: string): Promise<Request | undefined> =>
  (await json<readonly Request[]>('list')).find((one) => one.key === key);
const remind = async (): Promise<string> => {
  const orderId = newUuid();
  await dispatchers[0]?.localInvoke(Remind.of({ orderId, to: '1' }));
  return orderId;
};
/** What `svc mcp` answers. */
const shownToAgents = async (id: string): Promise<readonly unknown[]> => {
  const database = openDatabase({ url: shared.databaseUrl, applicationName: 'agent' });
  try {
    const found = await operatorTools['effects_show']?.answer({ id }, { database, withBodies: false });
    return found?.rows ?? [];
  } finally {
    await database.close();
  }
};
const isParked = (key: string) => until(async () => (await requestOf(key))?.state === 'parked');

test('a parked request is released with its id, or cancelled', async () => {
  other.answer = () => {
    throw new TypeError('connection refused');
  };
  const [released, cancelled] = [await remind(), await remind()];
  for (const key of [released, cancelled]) await isParked(key);
  const found = await requestOf(released);
  assert.equal(found?.error, 'effect-failed: connection refused');
  assert.match((await svc('list', '--state', 'parked')).stdout, /sms-gateway .*, parked, 1 attempt/);
  const shown = await json<Request & { tries: readonly unknown[] }>('show', found?.id ?? '');
  assert.is(shown.tries.length, 1);
  assert.equal(await shownToAgents(shown.id), [shown]);
  other.answer = () => 'sms';
  await svc('release', found?.id ?? '', '--reason', 'it is back');
  await until(async () => (await requestOf(released)) === undefined);
  assert.is(new Set(other.calls.filter(({ id }) => id === found?.id).map(({ id }) => id)).size, 1);
  const gone = (await requestOf(cancelled))?.id ?? '';
  assert.equal(await json('cancel', gone), { cancelled: gone });
  assert.match((await svc('cancel', gone)).stderr, 'it has ended, was cancelled, or never was');
});

test('a request in flight is not called again by run-now', async () => {
  const held: (() => void)[] = [];
  other.answer = () => new Promise((resolve) => held.push(() => resolve('sms')));
  const orderId = await remind();
  await until(() => Promise.resolve(held.length === 1));
  const { id = '', state } = (await requestOf(orderId)) ?? {};
  assert.is(state, 'running');
  assert.match((await svc('run-now', id)).stderr, 'a call was in flight; it is running');
  held[0]?.();
  await until(async () => (await requestOf(orderId)) === undefined);
  assert.is(other.calls.filter((call) => call.id === id).length, 1);
});

test('what is paused waits until it is resumed', async () => {
  other.answer = () => 'sms';
  assert.is((await svc('pause', 'sms-gateway')).code, 0);
  assert.match((await svc('pause', 'sms-gateway')).stderr, 'is paused already');
  const orderId = await remind();
  assert.is((await requestOf(orderId))?.state, 'paused');
  await svc('resume', 'sms-gateway');
  await until(async () => (await requestOf(orderId)) === undefined);
  const acts = await rowsOf(
    shared.databaseUrl,
    `SELECT data ->> 'action', data ->> 'actor' FROM svc_system_stream WHERE event_type = 'OperatorActed' AND data ->> 'action' IN ('effects pause', 'effects resume')`,
  );
  assert.equal(acts, [
    ['effects pause', 'ann'],
    ['effects resume', 'ann'],
  ]);
});
