import * as assert from 'uvu/assert';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor, SetTimer, UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import type { Database } from '../database/database.js';
import { actOnRequest } from '../effects/operate-effects.js';
import { readReservationSecret, reservationKey } from '../reservations/reservation-key.js';
import type { OperatorCall } from '../store/operator-action.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import {
  adoptReaction,
  cancelTimer,
  releaseKeys,
  releaseReservation,
  retryProcess,
  runTimerNow,
} from './operate.js';
import { postgresReactionStore } from './postgres-reaction-store.js';

const test = suite('operators and reactions');

interface Scene {
  readonly store: PostgresStore;
  readonly owner: Database;
  readonly reactions: ReactionStore;
  readonly call: OperatorCall;
}

const policy = new AuditPolicy(new SystemEventOptions());

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ connect, openStore }) => {
    const database = connect();
    const operator = {
      host: 'desk',
      changedBy: 'ann',
      recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
    };
    return body({
      store: openStore(),
      owner: connect({ owner: true }),
      reactions: postgresReactionStore(database),
      call: { database, operator, reason: 'the receptor is mended' },
    });
  });

const none: UnitLists = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };
const commit = ({ store }: Scene, lists: Partial<UnitLists>): Promise<void> =>
  store.commit({ events: [], records: [], expected: new Map(), lists: { ...none, ...lists } });

async function hold({ reactions }: Scene, name: string): Promise<HeldCursor> {
  const { epoch } = await reactions.takeCursor(name, 'beginning');
  return { name, epoch, settledTo: () => 0 };
}

const park = (scene: Scene, cursor: HeldCursor, position: number, key: string): Promise<void> =>
  commit(scene, {
    handled: [{ cursor, position, key }],
    aside: [
      {
        cursor,
        key,
        from: 0,
        next: position,
        state: 'parked',
        attempts: 8,
        retryInMs: 0,
        error: 'no such item',
      },
    ],
  });

const timer = (init: Partial<SetTimer> = {}): SetTimer => ({
  id: newUuid(),
  kind: 'command',
  name: 'reminder',
  key: 'o-1',
  again: 'replace',
  due: { inMs: 3_600_000 },
  data: {},
  context: {},
  ...init,
});

const refusalOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );

const acted = async ({ owner }: Scene): Promise<readonly string[]> =>
  (
    await owner.rows({
      text: `SELECT concat_ws('|', data->>'action', data->>'target', data->>'actor', data->>'reason')
        FROM svc_system_events WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    })
  ).map(([text]) => text ?? '');

test('a parked key is tried again at once, and the record says who released it and why', () =>
  withScene(async (scene) => {
    const cursor = await hold(scene, 'reaction/reserve-stock/3');
    await park(scene, cursor, 1, 'o-1');
    await park(scene, cursor, 2, 'o-2');
    assert.is(await releaseKeys(scene.call, 'reserve-stock', 'o-1'), 1);
    const [first, second] = await scene.reactions.asideKeys(cursor.name);
    assert.equal([first?.state, first?.attempts, first?.retryInMs], ['retrying', 0, 0]);
    assert.equal([second?.state, second?.attempts], ['parked', 8]);
    assert.equal(await acted(scene), ['reactions release|reserve-stock o-1|ann|the receptor is mended']);
  }));

test('all parked keys of a name are released, in all its partitions and nowhere else', () =>
  withScene(async (scene) => {
    for (const part of [0, 7]) await park(scene, await hold(scene, `reaction/reserve-stock/${part}`), 1, 'o');
    const other = await hold(scene, 'reaction/reserve-stock-2/0');
    await park(scene, other, 1, 'o');
    assert.is(await releaseKeys(scene.call, 'reserve-stock'), 2);
    assert.is((await scene.reactions.asideKeys(other.name))[0]?.state, 'parked');
  }));

test('of two operators at once, one releases the key and is recorded', () =>
  withScene(async (scene) => {
    await park(scene, await hold(scene, 'reaction/reserve-stock/0'), 1, 'o-1');
    const released = await Promise.all([1, 2].map(() => releaseKeys(scene.call, 'reserve-stock', 'o-1')));
    assert.equal(
      released.toSorted((one, other) => one - other),
      [0, 1],
    );
    assert.is((await acted(scene)).length, 1);
  }));

test('what changes nothing is not recorded', () =>
  withScene(async (scene) => {
    assert.is(await releaseKeys(scene.call, 'unknown'), 0);
    assert.is(await retryProcess(scene.call, 'unknown', 'o-1'), false);
    assert.is(await cancelTimer(scene.call, newUuid()), false);
    assert.is(await cancelTimer(scene.call, 'no id'), false);
    assert.is(await runTimerNow(scene.call, newUuid()), false);
    assert.is(await releaseReservation(scene.call, { name: 'email', value: 'ada@example.org' }), false);
    assert.is(await adoptReaction(scene.call, { from: 'unknown', to: 'other' }), 'unknown');
    assert.equal(await acted(scene), []);
    assert.match(await refusalOf(releaseKeys(scene.call, 'a\0b')), 'U+0000');
  }));

test('a cancelled timer never fires', () =>
  withScene(async (scene) => {
    const set = timer({ due: { inMs: 0 } });
    await commit(scene, { timers: [set] });
    const [stored] = await scene.reactions.timersOf('command', 'reminder', 'o-1');
    assert.is(await cancelTimer(scene.call, set.id), true);
    const firing = commit(scene, { ended: [{ id: set.id, firedAt: stored?.dueAt ?? '' }] });
    assert.match(await refusalOf(firing), 'fired or was cancelled');
    assert.equal(await acted(scene), [`timers cancel|${set.id}|ann|the receptor is mended`]);
  }));

test('a timer that is run now is due at once, parked or not, and stays the occurrence that it was', () =>
  withScene(async (scene) => {
    const [early, parked] = [timer(), timer({ key: 'o-2', parked: true, attempts: 8, error: 'no' })];
    await commit(scene, { timers: [early, parked] });
    const before = await scene.reactions.timersOf('command', 'reminder', 'o-1');
    for (const { id } of [early, parked]) assert.is(await runTimerNow(scene.call, id), true);
    const { due } = await scene.reactions.dueTimers([0, 1, 2, 3, 4, 5, 6, 7], 10);
    assert.equal(due.map(({ key, attempts, error }) => `${key} ${attempts} ${error}`).toSorted(), [
      'o-1 0 null',
      'o-2 0 null',
    ]);
    const [first] = due.filter(({ key }) => key === 'o-1');
    const kept = (first?.context as { readonly due?: string } | undefined)?.due;
    assert.is(Date.parse(kept ?? ''), Date.parse(before[0]?.dueAt ?? 'never'));
  }));

test('what acts on timers leaves requests of effects alone, and the other way round', () =>
  withScene(async (scene) => {
    const [set, request] = [timer(), timer({ kind: 'effect', name: 'sms', key: 'o-2' })];
    await commit(scene, { timers: [set, request] });
    for (const act of [cancelTimer, runTimerNow]) assert.is(await act(scene.call, request.id), false);
    for (const act of ['cancel', 'run'] as const)
      assert.is(await actOnRequest(scene.call, act, set.id), false);
    assert.equal(await acted(scene), []);
    for (const act of ['run', 'cancel'] as const)
      assert.is(await actOnRequest(scene.call, act, request.id), true);
  }));

test('a name is free after its release, and the record does not name it', () =>
  withScene(async (scene) => {
    const keyOf = reservationKey(await readReservationSecret(scene.call.database));
    const key = keyOf('acme', 'email', 'ada@example.org');
    const take = (owner: string) =>
      commit(scene, { reservations: [{ key, name: 'email', owner, take: true }] });
    await take('ada');
    const reserved = { name: 'email', value: 'ada@example.org' };
    assert.is(await releaseReservation(scene.call, reserved), false);
    assert.is(await releaseReservation(scene.call, { ...reserved, tenant: 'acme' }), true);
    await take('bob');
    assert.equal(await acted(scene), [`reservations release|email ${key}|ann|the receptor is mended`]);
  }));

test('of the requests of effects only a parked one is released, once', () =>
  withScene(async (scene) => {
    const [waiting, parked] = [false, true].map((isParked) =>
      timer({ kind: 'effect', name: 'sms', parked: isParked, attempts: 3, due: { inMs: 0 } }),
    );
    await commit(scene, { timers: [waiting ?? timer(), parked ?? timer()] });
    const release = (one: SetTimer | undefined) => actOnRequest(scene.call, 'release', one?.id ?? '');
    assert.equal(
      [await release(waiting), await release(parked), await release(parked)],
      [false, true, false],
    );
    assert.equal(await acted(scene), [`effects release|${parked?.id}|ann|the receptor is mended`]);
    const attempts = await scene.owner.rows({ text: 'SELECT attempts FROM svc_timers ORDER BY attempts' });
    assert.equal(attempts, [['0'], ['3']]);
  }));

test('a parked process tries its event or timer again, or goes on when neither waits', () =>
  withScene(async (scene) => {
    const status = async (key: string) => (await scene.reactions.process('fulfilment', key))?.status;
    const row = { name: 'fulfilment', revision: 0, version: 1, state: 'reserving', trail: [] } as const;
    const parked = { ...row, status: 'parked', snapshot: {}, error: 'process-refused' } as const;
    await commit(scene, { processes: ['o-1', 'o-2', 'o-3'].map((key) => ({ ...parked, key })) });
    const cursor = await hold(scene, 'process/fulfilment/5');
    await park(scene, cursor, 1, 'o-1');
    const stopped = timer({ kind: 'process', name: 'fulfilment', key: 'o-2', parked: true });
    await commit(scene, { timers: [stopped] });
    for (const key of ['o-1', 'o-2', 'o-3'])
      assert.is(await retryProcess(scene.call, 'fulfilment', key), true);
    assert.is((await scene.reactions.asideKeys(cursor.name))[0]?.state, 'retrying');
    assert.is((await scene.reactions.timersOf('process', 'fulfilment', 'o-2'))[0]?.parked, false);
    assert.equal(
      [await status('o-1'), await status('o-2'), await status('o-3')],
      ['parked', 'parked', 'running'],
    );
    for (const key of ['o-1', 'o-3']) assert.is(await retryProcess(scene.call, 'fulfilment', key), false);
  }));

test('an adopted reaction goes on where the old one stood, with its keys aside', () =>
  withScene(async (scene) => {
    const old = await hold(scene, 'reaction/reserve-stock/3');
    await commit(scene, { handled: [{ cursor: old, position: 4, key: 'o-9' }] });
    await park(scene, old, 7, 'o-1');
    const names = { from: 'reserve-stock', to: 'hold-stock' };
    assert.is(await adoptReaction(scene.call, names), 'adopted');
    const taken = await scene.reactions.takeCursor('reaction/hold-stock/3', 'head');
    assert.equal([taken.position, taken.done], [0, [4, 7]]);
    assert.is((await scene.reactions.asideKeys('reaction/hold-stock/3'))[0]?.key, 'o-1');
    assert.equal(await scene.reactions.asideKeys(old.name), []);
    const late = commit(scene, { handled: [{ cursor: old, position: 9, key: 'o-9' }] });
    assert.match(await refusalOf(late), 'Another host has handled this');
    const again = scene.reactions.takeCursor(old.name, 'beginning');
    assert.match(await refusalOf(again), 'reserve-stock was handed over to hold-stock');
    assert.is(await adoptReaction(scene.call, { from: 'hold-stock', to: 'reserve-stock' }), 'adopted');
    assert.equal((await scene.reactions.takeCursor(old.name, 'head')).done, [4, 7]);
  }));

test('a reaction is not adopted while a host runs it, or by one with progress, unless it is forced', () =>
  withScene(async (scene) => {
    await hold(scene, 'reaction/reserve-stock/0');
    const running = await hold(scene, 'reaction/hold-stock/0');
    const names = { from: 'reserve-stock', to: 'hold-stock' };
    assert.is(await adoptReaction(scene.call, names), 'has-progress');
    await scene.owner.rows({
      text: `INSERT INTO svc_leases(name, owner, lease_until) VALUES ('reaction/reserve-stock/0', gen_random_uuid(), 'infinity')`,
    });
    assert.is(await adoptReaction(scene.call, names), 'running');
    assert.is(await adoptReaction(scene.call, { ...names, force: true }), 'adopted');
    const stale = commit(scene, { handled: [{ cursor: running, position: 1, key: 'o' }] });
    assert.match(await refusalOf(stale), 'Another host has handled this');
    assert.is((await acted(scene)).length, 1);
  }));
