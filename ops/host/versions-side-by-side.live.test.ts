import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import { type Host, startHost } from './host.js';

const test = suite('two versions of an application beside each other');

class Started extends Event {
  declare id: string;
}
class Checked extends Event {
  declare id: string;
}
class Packed extends Event {
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
      ...{ name, cron, timeZone: 'Europe/Berlin' },
      command: () => new Close(),
    });
    return {
      endpoints: [],
      receptors: [
        {
          command: Happen,
          receptor: {
            handle: ({ id, event }: Happen, _, work) =>
              void work.append(id, event, { expectedPosition: 'any' }),
          },
        },
        {
          command: Close,
          receptor: {
            handle: (_, __, work) => void work.append(day, new Closed(), { expectedPosition: 'any' }),
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

interface Scene {
  /** Runs a version until it is stopped. */
  start(version: 1 | 2): Promise<Host>;
  rows(text: string): ReturnType<typeof rowsOf>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
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

const happen = async (version: 1 | 2, type: typeof Started, ...ids: readonly string[]): Promise<void> => {
  for (const id of ids)
    await dispatchers.get(`${version}`)?.localInvoke(Happen.of({ id, event: type.of({ id }) }));
};

/** `version state status` of an instance. */
const rowOf = async ({ rows }: Scene, id: string): Promise<string | undefined> =>
  (
    await rows(`SELECT concat_ws(' ', version, state, status) FROM svc_processes WHERE key = '${id}'`)
  )[0]?.[0] ?? undefined;

const errorOf = async ({ rows }: Scene, id: string): Promise<string> =>
  (await rows(`SELECT error FROM svc_aside WHERE key = '${id}' AND state = 'parked'`))[0]?.[0] ?? '';

/** Whether hosts of this version alone hold the leases. */
const runs = async ({ rows }: Scene, version: 1 | 2): Promise<boolean> => {
  const found = await rows(
    `SELECT DISTINCT coalesce(w.version, '') FROM svc_cursors c LEFT JOIN svc_workers w ON w.owner = c.owner::text
      WHERE c.name ~ '^(process|timers)/'`,
  );
  return found.length === 1 && found[0]?.[0] === `${version}.0.0`;
};

const crons = async ({ rows }: Scene): Promise<string> =>
  (
    await rows(
      `SELECT concat_ws(' ', name, data->>'cron', parked) FROM svc_timers WHERE kind = 'schedule' ORDER BY name`,
    )
  ).join('; ');

test('versions: no instance is lost or reset, and what cannot go on is parked and named', () =>
  withScene(async (scene) => {
    const [simple, checked, later] = [newUuid(), newUuid(), newUuid()];
    await scene.start(1);
    await until(() => runs(scene, 1));
    await happen(1, Started, simple, checked);
    await happen(1, Checked, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking running');

    const second = await scene.start(2);
    await until(() => runs(scene, 2));
    await happen(1, Checked, simple);
    await until(async () => (await rowOf(scene, simple)) === '2 packing running');
    await happen(2, Started, later);
    await until(async () => (await rowOf(scene, later)) === '2 waiting running');
    await happen(2, Packed, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking parked');
    assert.match(await errorOf(scene, checked), /^process-version: shipping of version 1 cannot go on/);

    await second.stop();
    await until(async () => (await rowOf(scene, checked)) === '1 ended ended');
    await happen(1, Packed, simple, later);
    await until(async () => (await errorOf(scene, simple)) !== '' && (await errorOf(scene, later)) !== '');
    for (const id of [simple, later])
      assert.match(
        await errorOf(scene, id),
        /^process-version: shipping of version 2 cannot go on with version 1/,
      );
    assert.is(await rowOf(scene, simple), '2 packing running');

    await scene.start(2);
    for (const id of [simple, later]) await until(async () => (await rowOf(scene, id)) === '2 ended ended');
    assert.equal(await scene.rows('SELECT key FROM svc_aside'), []);
    assert.equal(await scene.rows(`SELECT name FROM svc_timers WHERE kind = 'process'`), []);
  }));

test('versions: a timer that another version cannot take waits for one that can', () =>
  withScene(async (scene) => {
    const [checked, packed] = [newUuid(), newUuid()];
    const hasten = () =>
      scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE kind = 'process' AND NOT parked`);
    const parked = async () =>
      (await scene.rows(`SELECT key FROM svc_timers WHERE kind = 'process' AND parked`)).flat();
    await scene.start(1);
    await until(() => runs(scene, 1));
    await happen(1, Started, checked);
    await happen(1, Checked, checked);
    await until(async () => (await rowOf(scene, checked)) === '1 checking running');

    const second = await scene.start(2);
    await until(() => runs(scene, 2));
    await happen(2, Started, packed);
    await happen(2, Checked, packed);
    await until(async () => (await rowOf(scene, packed)) === '2 packing running');
    await scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE key = '${checked}'`);
    await until(async () => (await parked()).join() === checked);

    await second.stop();
    await until(async () => (await rowOf(scene, checked)) === '1 ended ended');
    await hasten();
    await until(async () => (await parked()).join() === packed);
    assert.is(await rowOf(scene, packed), '2 packing running');

    await scene.start(2);
    await until(async () => (await rowOf(scene, packed)) === '2 ended ended');
    assert.equal(await scene.rows(`SELECT name FROM svc_timers WHERE kind = 'process'`), []);
  }));

test('versions: the newest version that runs says when a schedule is due', () =>
  withScene(async (scene) => {
    const [one, two] = [
      'nightly-close 0 3 * * * f',
      'nightly-close 0 4 * * * f; weekly-close 0 5 * * 1 f',
    ] as const;
    const first = await scene.start(1);
    await until(async () => (await crons(scene)) === one);
    const second = await scene.start(2);
    await until(async () => (await crons(scene)) === two);
    await first.stop();
    await scene.start(1);
    await until(async () => (await scene.rows('SELECT count(*) FROM svc_workers')).flat().includes('2'));
    await until(() => runs(scene, 2));
    assert.is(await crons(scene), two);

    await second.stop();
    await until(async () => (await crons(scene)).startsWith(one));
    await scene.rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE name = 'weekly-close'`);
    await until(async () => (await crons(scene)) === `${one}; weekly-close 0 5 * * 1 t`);

    await scene.start(2);
    await until(async () => (await crons(scene)) === two);
    await until(
      async () => (await scene.rows(`SELECT 1 FROM svc_events WHERE event_type = 'Closed'`)).length > 0,
    );
  }));
