import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';

class Pack extends Command {
  declare orderId: string;
}

class Deliver extends Command {
  declare orderId: string;
}

class Packed extends Event {
  declare orderId: string;
  declare card: string;
}

class Delivered extends Event {
  declare orderId: string;
}

const test = suite('svc stuck');

const deliver: Reaction<Packed> = {
  name: 'deliver',
  events: [Packed],
  react: ({ payload: { orderId } }) => Deliver.of({ orderId }),
};

/** The orders that cannot be delivered at the moment. */
const kept = new Set<string>();

const dispatchers: Dispatcher[] = [];

const shop: ServiceDefinition = {
  name: 'shop',
  create: (local) => {
    dispatchers.push(local);
    return {
      endpoints: [],
      receptors: [
        {
          command: Pack,
          receptor: {
            handle: ({ orderId }: Pack, work) =>
              void work.append(orderId, Packed.of({ orderId, card: '4711-0815' }), {
                expectedPosition: 'any',
              }),
          },
        },
        {
          command: Deliver,
          receptor: {
            handle: ({ orderId }: Deliver, work) => {
              if (kept.has(orderId))
                throw new Problem('no-van', { status: 409, detail: `Van ${kept.size} is full.` });
              work.append(orderId, Delivered.of({ orderId }), { expectedPosition: 'any' });
            },
          },
        },
      ],
      reactions: [deliver],
      events: [Packed, Delivered],
    };
  },
};

const shared = sharedHosts({ definition: shop, count: 2 });

test.before(() => shared.start());

test.after(() => shared.stop());

const svc = (...args: string[]) =>
  svcInProcess(['stuck', ...args], { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await svc(...args, '--json');
  assert.is(code, 0, stderr);
  return JSON.parse(stdout) as T;
}

/** The line of a verb that fails. */
async function mistake(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await svc(...args);
  assert.equal([code, stdout], [1, '']);
  assert.match(stderr, /^svc: [^\n]+\n$/);
  return stderr;
}

const why = ['--reason', 'a van is back'] as const;

interface Entry {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
}

const packed = async (orderId: string): Promise<void> => {
  await dispatchers[0]?.localInvoke(Pack.of({ orderId }));
};

/** Packs orders that cannot be delivered, and waits until they are stuck. */
async function parked(count: number): Promise<readonly string[]> {
  const orders = Array.from({ length: count }, () => newUuid());
  for (const orderId of orders) {
    kept.add(orderId);
    await packed(orderId);
  }
  await until(async () => {
    const keys = (await json<readonly Entry[]>('list')).map(({ key }) => key);
    return orders.every((orderId) => keys.includes(orderId));
  });
  return orders;
}

const idOf = async (orderId: string): Promise<string> =>
  (await json<readonly Entry[]>('list')).find(({ key }) => key === orderId)?.id ?? '';

const delivered = async (orderId: string): Promise<number> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT 1 FROM svc_event_stream WHERE stream_id = '${orderId}' AND event_type = 'Delivered'`,
    )
  ).length;

const settled = async (): Promise<void> => {
  await until(async () => (await json<readonly Entry[]>('list')).length === 0);
};

const acted = async (target: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT concat_ws('|', data->>'action', data->>'actor', data->>'reason', data->'details'->>'entries') FROM svc_system_stream
        WHERE event_type = 'OperatorActed' AND data->>'target' = '${target}' ORDER BY stream_position`,
    )
  ).map(([text]) => text ?? '');

test('a parked key is listed with its cause and shown with its event, and a retry handles its events once', async () => {
  const [orderId = ''] = await parked(1);
  await packed(orderId);
  const [entry] = await json<readonly Entry[]>(
    'list',
    '--follower',
    'reaction/deliver',
    '--error',
    'is full',
  );
  assert.equal(Object.keys(entry ?? {}), [
    ...['id', 'follower', 'kind', 'key', 'position', 'state', 'attempts', 'since', 'nextAt', 'error'],
    ...['fingerprint', 'tenant'],
  ]);
  const id = entry?.id ?? '';
  const { stdout } = await svc('list');
  assert.match(stdout, `${id}  parked`);
  assert.match(stdout, `  ${entry?.fingerprint} no-van: Van 1 is full.`);
  const shown = await svc('show', id);
  assert.match(shown.stdout, /^event type +Packed$/m);
  assert.match(shown.stdout, new RegExp(`^event streamId +${orderId}$`, 'm'));
  assert.not.match(shown.stdout, '4711-0815');
  kept.delete(orderId);
  assert.equal(await json('retry', id, ...why), { retried: id });
  await settled();
  await until(async () => (await delivered(orderId)) === 2);
  assert.equal(await acted(id), ['stuck retry|ann|a van is back']);
});

test('skip gives up one event of a key, and later ones are handled', async () => {
  const [orderId = ''] = await parked(1);
  await packed(orderId);
  const id = await idOf(orderId);
  kept.delete(orderId);
  assert.equal(await json('skip', id, ...why), { skipped: id });
  await settled();
  await until(async () => (await delivered(orderId)) === 1);
  assert.match(await mistake('skip', id, ...why), 'is not stuck: it was repaired, or has moved on');
});

interface Plan {
  readonly plan: string;
  readonly count: number;
  readonly causes: readonly { readonly count: number; readonly fingerprint: string }[];
}

test('many are first counted by cause; the plan then retries exactly these, and names what has changed', async () => {
  const orders = await parked(3);
  const filter = ['--follower', 'reaction/deliver', '--error', 'Van', ...why] as const;
  const plan = await json<Plan>('retry', ...filter);
  assert.equal([plan.count, plan.causes.length, plan.causes[0]?.count], [3, 1, 3]);
  const text = await svc('retry', ...filter);
  assert.match(
    text.stdout,
    /^Would retry 3 entries, stuck since \S+ or later\.\n {2}3 × [0-9a-f]{12} no-van: Van \d is full\.\n/,
  );
  assert.match(text.stdout, `Add --yes --plan ${plan.plan} to retry exactly these`);
  assert.is((await json<readonly Entry[]>('list')).length, 3, 'nothing has changed');
  const [gone = '', ...others] = orders;
  const goneId = await idOf(gone);
  kept.delete(gone);
  await json('retry', goneId, ...why);
  await until(async () => (await json<readonly Entry[]>('list')).length === 2);
  const [late = ''] = await parked(1);
  for (const orderId of others) kept.delete(orderId);
  assert.match(
    await mistake('skip', '--yes', '--plan', plan.plan, ...why),
    'is a plan to retry, not to skip',
  );
  const foreign = ['--follower', 'timers', '--yes', '--plan', plan.plan] as const;
  assert.match(
    await mistake('retry', ...foreign, ...why),
    "was made for follower reaction/deliver, error 'Van'",
  );
  const { stdout, stderr } = await svc('retry', '--yes', '--plan', plan.plan, ...why);
  assert.is(stdout, '2 entries retried.\n');
  assert.match(stderr, `left alone 1 of the planned entries (no longer stuck, or moved on):\n  ${goneId}\n`);
  await until(async () => (await json<readonly Entry[]>('list')).length === 1);
  for (const orderId of orders) await until(async () => (await delivered(orderId)) === 1);
  assert.is(await delivered(late), 0);
  assert.equal(await acted("follower reaction/deliver, error ''Van''"), ['stuck retry|ann|a van is back|2']);
  assert.match(
    await mistake('retry', '--yes', '--plan', plan.plan, ...why),
    'it was carried out, or is older than a day',
  );
  kept.delete(late);
  assert.match((await svc('retry', '--yes', ...why)).stdout, '1 entry retried.');
  await settled();
});

test('what is refused says on one line what to do', async () => {
  const [orderId = ''] = await parked(1);
  const id = await idOf(orderId);
  assert.match(await mistake('retry', id), 'retry needs --reason TEXT');
  assert.match(await mistake('show', `${id}x`), 'see svc stuck list');
  assert.match(await mistake('retry', '--yes', '--plan', '0123456789abcdef', ...why), 'There is no plan');
  const none = await svc('retry', '--follower', 'timers', ...why);
  assert.is(none.stdout, 'Would retry 0 entries.\n');
  kept.delete(orderId);
  assert.match((await svc('skip', '--yes', '--follower', 'reaction', ...why)).stdout, '1 entry skipped.');
  await settled();
  assert.is(await delivered(orderId), 0);
});
