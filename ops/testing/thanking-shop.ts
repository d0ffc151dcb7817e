import * as assert from 'uvu/assert';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { later, type Reaction } from '../../contracts/reaction.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Service } from '../../runtime/service/service.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { svcInProcess } from './in-process-cli.js';
import { type Host, startHost } from '../host/host.js';

class Placed extends Event {
  declare orderId: Uuid;
}

export class Renamed extends Event {
  declare orderId: Uuid;
}

export class RecordHistory extends Command {
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

export interface Scene {
  readonly url: string;
  /** Runs an edition of the service until it is stopped. */
  readonly start: (edition?: Edition) => Promise<Host>;
  readonly send: (command: Command) => Promise<unknown>;
  /** Of the host that was started last. */
  readonly service: () => Service;
  readonly rows: (text: string) => ReturnType<typeof rowsOf>;
}

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

const shop = (
  { reaction = 'thank', model = 1 }: Edition,
  isCreated: (local: Dispatcher) => void,
): ServiceDefinition => ({
  name: 'shop',
  create: (dispatcher) => {
    isCreated(dispatcher);
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

export const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) =>
    withStore(async (url) => {
      const hosts: Host[] = [];
      let local: Dispatcher | undefined;
      const env = { SVC_PORT: '0', DATABASE_URL: url, NATS_URL: nats, SVC_LOG: 'silent' };
      try {
        await body({
          url,
          start: async (edition = {}) => {
            const definition = shop(edition, (dispatcher) => (local = dispatcher));
            const host = await startHost(definition, readConfig(env));
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

export const isRunning = ({ rows }: Scene, reaction = 'thank'): Promise<number> =>
  until(async () => (await rows(`SELECT count(*) ${cursorsOf(reaction)}`))[0]?.[0] === '16');

/** What reactions, processes and timers have sent, when all that has happened is handled and no timer waits. */
export async function sent({ rows, service }: Scene): Promise<Readonly<Record<string, number>>> {
  const [[head] = []] = await rows('SELECT max(global_position) FROM svc_event_stream');
  await service().settled(Number(head), AbortSignal.timeout(60_000));
  await until(async () => (await rows('SELECT 1 FROM svc_timers')).length === 0);
  const found = await rows(`SELECT data->>'commandType', count(*) FROM svc_system_events
    WHERE event_type = 'CommandAudited' AND data->>'commandType' <> 'RecordHistory' GROUP BY 1 ORDER BY 1`);
  return Object.fromEntries(found.map(([type, count]) => [type, Number(count)]));
}

export const each = (count: number) => ({ Close: count, Pack: count, Remind: count, Thank: count });

export const placed = (count: number) =>
  Array.from({ length: count }, () => Placed.of({ orderId: newUuid() }));

/** A host with orders that it has reacted to, each once. */
export async function withHistory(
  scene: Scene,
): Promise<{ readonly host: Host; readonly orders: readonly Uuid[] }> {
  const host = await scene.start();
  await isRunning(scene);
  const events = placed(20);
  await scene.send(RecordHistory.of({ events }));
  assert.equal(await sent(scene), each(20));
  return { host, orders: events.map(({ orderId }) => orderId) };
}

export const svc = async ({ url }: Scene, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await svcInProcess(args, { DATABASE_URL: url });
  assert.is(code, 0, stderr);
  return stdout;
};
