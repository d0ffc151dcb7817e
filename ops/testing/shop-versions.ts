import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';

export class Started extends Event {
  declare id: string;
}

export class Checked extends Event {
  declare id: string;
}

export class Packed extends Event {
  declare id: string;
}

class Happen extends Command {
  declare id: string;
  declare event: Event;
}

class Close extends Command {}

class Closed extends Event {}

const parts = processSetup({
  events: { Started, Checked, Packed },
  commands: {},
  context: shape<object>(),
});

/** Of version 1; version 2 has no checking, but packing. */
const checking = parts.createMachine({
  context: {},
  initial: 'waiting',
  states: {
    waiting: { on: { Checked: 'checking', Packed: 'ended' } },
    checking: { after: { 3_600_000: 'ended' }, on: { Packed: 'ended' } },
    ended: { type: 'final' },
  },
});

const packing = parts.createMachine({
  context: {},
  initial: 'waiting',
  states: {
    waiting: { on: { Checked: 'packing', Packed: 'ended' } },
    packing: { after: { 3_600_000: 'ended' }, on: { Packed: 'ended' } },
    ended: { type: 'final' },
  },
});

const day = newUuid();

const dispatchers = new Map<string, Dispatcher>();

const versioned = (version: 1 | 2): ServiceDefinition => ({
  name: 'shop',
  version: `${version}.0.0`,
  create: (local) => {
    dispatchers.set(`${version}`, local);
    const process: Process = {
      name: 'shipping',
      version,
      machine: version === 1 ? checking : packing,
      starts: [Started],
      key: ({ payload }: StoredEvent) => (payload as Started).id,
    };
    const nightly = (name: string, cron: string): Schedule => ({
      name,
      cron,
      timeZone: 'Europe/Berlin',
      command: () => new Close(),
    });
    return {
      endpoints: [],
      receptors: [
        {
          command: Happen,
          receptor: {
            handle: ({ id, event }: Happen, work) => void work.append(id, event, { expectedPosition: 'any' }),
          },
        },
        {
          command: Close,
          receptor: {
            handle: (_, work) => void work.append(day, new Closed(), { expectedPosition: 'any' }),
          },
        },
      ],
      events: [Started, Checked, Packed, Closed],
      processes: [process],
      schedules:
        version === 1
          ? [nightly('nightly-close', '0 3 * * *')]
          : [nightly('nightly-close', '0 4 * * *'), nightly('weekly-close', '0 5 * * 1')],
    };
  },
});

export interface Scene {
  /** Runs a version until it is stopped. */
  readonly start: (version: 1 | 2) => Promise<Host>;
  readonly rows: (text: string) => ReturnType<typeof rowsOf>;
}

export const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore(async (url) => {
    const hosts: Host[] = [];
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_LOG: 'silent' });
    try {
      await body({
        start: async (version) => {
          const host = await startHost(versioned(version), config);
          hosts.push(host);
          return host;
        },
        rows: (text) => rowsOf(url, text),
      });
    } finally {
      for (const host of hosts) await host.stop();
    }
  });

export const happen = async (
  version: 1 | 2,
  type: typeof Started,
  ...ids: readonly string[]
): Promise<void> => {
  for (const id of ids)
    await dispatchers.get(`${version}`)?.localInvoke(Happen.of({ id, event: type.of({ id }) }));
};

/** `version state status` of an instance. */
export const rowOf = async ({ rows }: Scene, id: string): Promise<string | undefined> =>
  (
    await rows(`SELECT concat_ws(' ', version, state, status) FROM svc_processes WHERE key = '${id}'`)
  )[0]?.[0] ?? undefined;

/** Whether hosts of this version alone hold the leases. */
export const runs = async ({ rows }: Scene, version: 1 | 2): Promise<boolean> => {
  const found = await rows(
    `SELECT DISTINCT coalesce(h.version, '') FROM svc_leases l LEFT JOIN svc_hosts h ON h.id = l.owner
      WHERE l.name ~ '^(process|timers)/'`,
  );
  return found.length === 1 && found[0]?.[0] === `${version}.0.0`;
};
