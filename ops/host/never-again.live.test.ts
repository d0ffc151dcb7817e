import * as assert from 'uvu/assert';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { later, type Reaction } from '../../contracts/reaction.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Service } from '../../runtime/service/service.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type Host, startHost } from './host.js';

const test = suite('what has happened causes nothing again');

class Placed extends Event {
  declare orderId: Uuid;
}
class Renamed extends Event {
  declare orderId: Uuid;
}
class RecordHistory extends Command {
  declare events: readonly (Placed | Renamed)[];
  declare occurredAt?: Timestamp;
}
class Thank extends Command {
  declare orderId: Uuid;
}
class Remind extends Command {
  declare orderId: Uuid;
}
class Pack extends Command {
  declare orderId: Uuid;
}
class Close extends Command {
  declare orderId: Uuid;
}

/** Of every order: a command and a timer. */
const thank = (name: string): Reaction<Placed> => ({
  name,
  events: [Placed],
  react: ({ payload: { orderId } }) => [
    Thank.of({ orderId }),
    later(Remind.of({ orderId }), { in: 'PT0.01S' }),
  ],
});

/** Of every order: a command, and one of its timer. */
const shipping: Process = {
  name: 'shipping',
  version: 1,
  machine: processSetup({
    events: { Placed },
    commands: { Pack, Close },
    context: shape<{ orderId: Uuid }>(),
    delays: { soon: 10 },
  }).createMachine({
    context: ({ input }) => ({ orderId: input.data.orderId }),
    initial: 'packing',
    states: {
      packing: {
        entry: { type: 'send', params: ({ context: { orderId } }) => Pack.of({ orderId }) },
        after: { soon: 'closed' },
      },
      closed: {
        entry: { type: 'send', params: ({ context: { orderId } }) => Close.of({ orderId }) },
        type: 'final',
      },
    },
  }),
  starts: [Placed],
  key: ({ payload }: StoredEvent) => (payload as Placed).orderId,
};

const ordersOf = (version: number): Perspective<{ events: number }, Placed | Renamed> => ({
  name: 'orders',
  version,
  events: [Placed, Renamed],
  initial: () => ({ events: 0 }),
  apply: ({ events }) => ({ events: events + 1 }),
});

interface Edition {
  readonly reaction?: string;
  readonly model?: number;
}

interface Scene {
  readonly url: string;
  /** Runs an edition of the service until it is stopped. */
  start(edition?: Edition): Promise<Host>;
  send(command: Command): Promise<unknown>;
  /** Of the host that was started last. */
  service(): Service;
  rows(text: string): ReturnType<typeof rowsOf>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) =>
    withStore(async (url) => {
      const hosts: Host[] = [];
      let local: Dispatcher | undefined;
      const definition = ({ reaction = 'thank', model = 1 }: Edition): ServiceDefinition => ({
        name: 'shop',
        create: (dispatcher) => {
          local = dispatcher;
          const record = {
            command: RecordHistory,
            receptor: {
              handle: ({ events, occurredAt }: RecordHistory, work: UnitOfWork) => {
                for (const event of events)
                  work.append(event.orderId, event, {
                    expectedPosition: 'any',
                    ...(occurredAt !== undefined && { occurredAt }),
                  });
              },
            },
          };
          const done = [Thank, Remind, Pack, Close].map((command) => ({
            command,
            receptor: { handle: () => undefined },
          }));
          return {
            endpoints: [],
            receptors: [record, ...done],
            perspectives: [ordersOf(model)],
            reactions: [thank(reaction)],
            processes: [shipping],
            events: [Placed, Renamed],
          };
        },
      });
      const env = { SVC_PORT: '0', DATABASE_URL: url, NATS_URL: nats, SVC_LOG: 'silent' };
      try {
        await body({
          url,
          start: async (edition = {}) => {
            const host = await startHost(definition(edition), readConfig(env));
            hosts.push(host);
            return host;
          },
          send: (command) => Promise.resolve(local?.localInvoke(command)),
          service: () => hosts.at(-1)?.service as Service,
          rows: (text) => rowsOf(url, text),
        });
      } finally {
        for (const host of hosts) await host.stop();
      }
    }),
  );

const cursorsOf = (reaction: string) =>
  `FROM svc_progress WHERE name ~ '^(reaction/${reaction}|process/shipping)/'`;

const isRunning = ({ rows }: Scene, reaction = 'thank'): Promise<number> =>
  until(async () => (await rows(`SELECT count(*) ${cursorsOf(reaction)}`))[0]?.[0] === '16');

/** What reactions, processes and timers have sent, when all that has happened is handled and no timer waits. */
async function sent({ rows, service }: Scene): Promise<Readonly<Record<string, number>>> {
  const [[head] = []] = await rows('SELECT max(global_position) FROM svc_event_stream');
  await service().settled(Number(head), AbortSignal.timeout(60_000));
  await until(async () => (await rows('SELECT 1 FROM svc_timers')).length === 0);
  const found = await rows(`SELECT data->>'commandType', count(*) FROM svc_system_events
    WHERE event_type = 'CommandAudited' AND data->>'commandType' <> 'RecordHistory' GROUP BY 1 ORDER BY 1`);
  return Object.fromEntries(found.map(([type, count]) => [type, Number(count)]));
}

const each = (count: number) => ({ Close: count, Pack: count, Remind: count, Thank: count });

const placed = (count: number) => Array.from({ length: count }, () => Placed.of({ orderId: newUuid() }));

/** A host with orders that it has reacted to, each once. */
async function withHistory(scene: Scene): Promise<{ readonly host: Host; readonly orders: readonly Uuid[] }> {
  const host = await scene.start();
  await isRunning(scene);
  const events = placed(20);
  await scene.send(RecordHistory.of({ events }));
  assert.equal(await sent(scene), each(20));
  return { host, orders: events.map(({ orderId }) => orderId) };
}

/** For tests that leave the service as it is; what was sent before is theirs to count. */
const afterHistory = sharedIn<Scene & { readonly orders: readonly Uuid[] }>(test, (body) =>
  withScene(async (scene) => body({ ...scene, orders: (await withHistory(scene)).orders })),
);

const svc = async ({ url }: Scene, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await svcInProcess(args, { DATABASE_URL: url });
  assert.is(code, 0, stderr);
  return stdout;
};

const secondsAgo = (seconds: number): Timestamp => new Date(Date.now() - seconds * 1_000).toISOString();

test('never again: a rebuild in any mode sends no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const [[events] = []] = await scene.rows('SELECT count(*) FROM svc_event_stream');
    const rebuild = ['perspectives', 'rebuild', 'orders', '--mode'] as const;
    for (const mode of ['BlueGreen', 'InPlace'])
      assert.match(await svc(scene, ...rebuild, mode), `${events} events`);
    const one = ['--stream', scene.orders[1] ?? ''];
    assert.match(await svc(scene, ...rebuild, 'SelectedStreams', ...one), /\b1 events/);
    assert.equal(await sent(scene), before);
  }));

test('never again: a rewind sends no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const [orderId = ''] = scene.orders;
    await scene.send(RecordHistory.of({ events: [Renamed.of({ orderId })], occurredAt: secondsAgo(40) }));
    await until(
      async () =>
        (await scene.rows(`SELECT 1 FROM svc_system_events WHERE event_type = 'StreamRewindCompleted'`))
          .length === 1,
    );
    assert.equal(await sent(scene), before);
  }));

test('never again: migrations and a restart send no command', () =>
  withScene(async (scene) => {
    const { host } = await withHistory(scene);
    await svc(scene, 'migrate');
    assert.equal(await sent(scene), each(20));
    await host.stop();
    const restarted = await scene.start();
    assert.equal(await sent(scene), each(20));
    await restarted.stop();
    await scene.start({ model: 2 });
    const replayed = `SELECT 1 FROM svc_system_events c JOIN svc_system_events s ON c.stream_position > s.stream_position
      AND c.data->>'migrationKey' = s.data->>'migrationKey' WHERE s.event_type = 'MigrationItemStarted'
      AND c.event_type = 'MigrationItemCompleted' AND s.data->>'strategy' = 'EventReplay'`;
    await until(async () => (await scene.rows(replayed)).length > 0);
    assert.equal(await sent(scene), each(20));
    await scene.send(RecordHistory.of({ events: placed(1) }));
    assert.equal(await sent(scene), each(21));
  }));

test('never again: messages that are published again send no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const isPublished = () =>
      until(async () => (await scene.rows('SELECT count(*) FROM svc_outbox_pending'))[0]?.[0] === '0');
    await isPublished();
    assert.match(await svc(scene, 'outbox', 'republish', '--from', '1'), /^\d+ messages from position 1 /);
    await isPublished();
    assert.equal(await sent(scene), before);
  }));

test('never again: an import of 1,000 old events sends no command, and new events do', () =>
  afterHistory(async (scene) => {
    const count = async () =>
      Number((await scene.rows(`SELECT count(*) FROM svc_event_stream WHERE event_type = 'Placed'`))[0]?.[0]);
    const [before, placedBefore] = [await sent(scene), await count()];
    for (let n = 0; n < 10; n++)
      await scene.send(RecordHistory.of({ events: placed(100), occurredAt: '2020-02-29T12:00:00.000Z' }));
    assert.equal(await sent(scene), before);
    assert.is(await count(), placedBefore + 1_000);
    await scene.send(RecordHistory.of({ events: placed(5) }));
    assert.equal(await sent(scene), each((before['Thank'] ?? 0) + 5));
  }));

test('never again: a renamed reaction starts at the head', () =>
  withScene(async (scene) => {
    const { host } = await withHistory(scene);
    await host.stop();
    await scene.start({ reaction: 'greet' });
    await isRunning(scene, 'greet');
    assert.equal(await sent(scene), each(20));
    await scene.send(RecordHistory.of({ events: placed(1) }));
    assert.equal(await sent(scene), each(21));
  }));
