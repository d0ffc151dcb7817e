import * as assert from 'uvu/assert';
import type { EventOrigin } from '../../contracts/event-origin.js';
import { RebuildMode } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { eventOf } from '../../runtime/inbox/received-rows.js';
import type { Service } from '../../runtime/service/service.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { until } from '../../runtime/kit/until.js';
import { type Account, account, accounts, booked } from '../testing/accounts-perspective.js';
import {
  modelOf,
  systemStreamLike,
  timeoutSignal,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';

const test = suite('perspectives and the origin of events');

const origins: readonly EventOrigin[] = ['own', 'others', 'all'];
const [seconds, minute] = [1_000, 60_000];

const three = () => [
  accounts({ name: 'unset' }),
  ...origins.map((origin) => accounts({ name: origin, origin, snapshotEvery: 1 })),
  accounts({ name: 'by-sum', origin: 'all', key: () => 'one', late: 'rebuild' }),
];

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Receives an amount of another store that was booked some time ago. */
async function receiver(
  owner: Database,
): Promise<(stream: Uuid, amount: number, age: number) => Promise<void>> {
  const elsewhere = new ForeignStore();
  const inbox = postgresInbox(owner, newUuid());
  await inbox.acquireLease(minute);
  return async (stream, amount, age) => {
    const more = { messageType: 'Booked', payload: { amount, text: '' } };
    const event = elsewhere.event(stream, { ...more, occurredAt: ago(age), timestamp: ago(age) });
    assert.equal(await inbox.storeEvents([eventOf(event)], minute), ['stored']);
  };
}

async function caughtUp(service: Service, owner: Database): Promise<void> {
  const [[head] = []] = await owner.rows({ text: 'SELECT svc_head()' });
  for (const { name } of three()) await service.caughtUp(name, Number(head), timeoutSignal());
}

const amounts = async (
  owner: Database,
  stream: Uuid,
): Promise<Record<string, readonly number[] | undefined>> => {
  const names = ['unset', ...origins];
  const found = await Promise.all(names.map((name) => modelOf<Account>(owner, stream, `svc_per_${name}`)));
  return Object.fromEntries(names.map((name, index) => [name, found[index]?.amounts]));
};

test('it folds what it declares, live, after a late event and after every kind of rebuild', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host(three());
    const { perspectives } = service.parts;
    await perspectives?.started;
    const [receive, stream] = [await receiver(owner), account()];
    await service.eventStore.append(stream, [booked(1)], { occurredAt: ago(40 * seconds) });
    await receive(stream, 10, 30 * seconds);
    await service.eventStore.append(stream, booked(2));
    await caughtUp(service, owner);
    assert.equal(await amounts(owner, stream), {
      unset: [1, 2],
      own: [1, 2],
      others: [10],
      all: [1, 10, 2],
    });
    await receive(stream, 20, 35 * seconds);
    const rewound = { unset: [1, 2], own: [1, 2], others: [20, 10], all: [1, 20, 10, 2] };
    await until(async () => (await systemStreamLike(owner, 'StreamRewindCompleted')).length === 1);
    await caughtUp(service, owner);
    assert.equal(await amounts(owner, stream), rewound);
    const [[, started] = ['', {}]] = await systemStreamLike(owner, 'StreamRewindStarted');
    assert.equal(started['perspectiveNames'], ['all', 'others'], 'only those that take it');
    for (const mode of Object.values(RebuildMode))
      for (const name of ['unset', ...origins]) {
        const streams = mode === RebuildMode.SelectedStreams ? { streams: [stream] } : {};
        const rebuilt = await perspectives?.rebuild(name, { mode, ...streams });
        const expected = rewound[name as keyof typeof rewound].length;
        assert.equal([rebuilt?.streams, rebuilt?.events], [1, expected], `${mode} of ${name}`);
      }
    assert.equal(await amounts(owner, stream), rewound);
    const all = await modelOf<Account>(owner, 'one', 'svc_per_by_sum');
    assert.is(all?.sum, 33);
  }));

test('a row that only other stores have is unknown to a rebuild of those that take own events', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host(three());
    const { perspectives } = service.parts;
    await perspectives?.started;
    const stream = account();
    const receive = await receiver(owner);
    await receive(stream, 10, seconds);
    await caughtUp(service, owner);
    const failure = await perspectives
      ?.rebuild('own', { mode: RebuildMode.SelectedStreams, streams: [stream] })
      .then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    assert.match(failure ?? '', /has no event that own takes/);
    assert.equal(await amounts(owner, stream), { unset: undefined, own: undefined, others: [10], all: [10] });
  }));
