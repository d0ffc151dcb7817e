import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor, UnitLists } from '../../contracts/unit-lists.js';
import type { Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { microsOf } from '../store/micros.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import type { StoreWithLists } from '../testing/unit-lists/units.js';

const test = suite('in-memory and postgres lists of units');

test('any units, alone or many in one flush, get the same answers from both and leave the same', () =>
  withMigratedDatabase(async (database) => {
    const postgres = { store: database.openStore(), reactions: postgresReactionStore(database.connect()) };
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
        // Every run has names of its own: all of them share one database.
        const names = namesOfOneRun();
        const store = new InMemoryEventStore();
        const memory = { store, reactions: store.reactions };
        for (const cursor of [0, 1])
          for (const subject of [postgres, memory]) await takeIn(subject, names, cursor);
        for (const sketch of rounds) {
          const now = await stateOf(memory.reactions, names);
          assert.equal(
            await answers(postgres, sketch, names, now),
            await answers(memory, sketch, names, now),
          );
        }
        assert.equal(await contentOf(postgres, names), await contentOf(memory, names));
      }),
      { numRuns: 120 },
    );
  }));

const few = fc.nat({ max: 2 });
const two = fc.nat({ max: 1 });
/** Null: what is right before the round. */
const rightOr = (other: fc.Arbitrary<number>) => fc.option(other, { freq: 1 });
const position = fc.integer({ min: 1, max: 6 });
const held = { cursor: fc.nat({ max: 1 }), isEarlier: fc.nat({ max: 9 }).map((n) => n === 0) };
const rarely = <T>(entry: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<readonly T[]>([]) },
    { weight: 1, arbitrary: fc.array(entry, { minLength: 1, maxLength: 2 }) },
  );

/** A unit in small numbers, so that everything collides often. */
const sketchOfUnit = fc.record({
  stream: fc.option(fc.record({ stream: few, expected: fc.option(fc.nat({ max: 4 })) })),
  handled: rarely(fc.record({ ...held, position, key: two })),
  aside: rarely(
    fc.record({
      ...held,
      key: two,
      from: rightOr(fc.nat({ max: 4 })),
      next: fc.nat({ max: 4 }),
      parked: fc.boolean(),
    }),
  ),
  timers: rarely(fc.record({ id: few, due: few, keep: fc.boolean(), data: few })),
  ended: rarely(fc.record({ id: few, fired: fc.option(rightOr(few).map((due) => ({ due }))) })),
  reservations: rarely(fc.record({ key: two, owner: two, take: fc.boolean(), hold: fc.boolean() })),
  processes: rarely(fc.record({ key: two, revision: rightOr(few), state: few })),
});

const round = fc.record({
  /** Cursors that are taken before. */
  taken: fc.array(fc.nat({ max: 1 }), { maxLength: 2 }),
  settled: fc.nat({ max: 3 }),
  units: fc.array(sketchOfUnit, { minLength: 1, maxLength: 6 }),
});

type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;
type SketchOfUnit = Round['units'][number];

interface Names {
  /** Each store draws its own. */
  readonly epochsOf: (subject: StoreWithLists) => Map<string, number>;
  readonly cursor: (number: number) => string;
  readonly uuid: (kind: string, number: number) => Uuid;
}

function namesOfOneRun(): Names {
  const run = newUuid();
  const known = new Map<string, Uuid>();
  const uuid = (kind: string, number: number) => {
    const name = `${kind} ${number}`;
    known.set(name, known.get(name) ?? newUuid());
    return known.get(name) ?? '';
  };
  const epochs = new Map<StoreWithLists, Map<string, number>>();
  const epochsOf = (subject: StoreWithLists) => {
    const found = epochs.get(subject) ?? new Map<string, number>();
    epochs.set(subject, found);
    return found;
  };
  return { uuid, epochsOf, cursor: (number) => `${run}/${number}` };
}

async function takeIn(subject: StoreWithLists, names: Names, number: number): Promise<unknown> {
  const cursor = names.cursor(number);
  const { epoch, ...rest } = await subject.reactions.takeCursor(cursor, 'beginning');
  names.epochsOf(subject).set(cursor, epoch);
  return rest;
}

/** Takes cursors, then commits the units at once; returns what came of it. */
async function answers(subject: StoreWithLists, { taken, settled, units }: Round, names: Names, now: State) {
  const epochs = names.epochsOf(subject);
  const progress: unknown[] = [];
  for (const number of taken) {
    progress.push(await takeIn(subject, names, number));
  }
  // A runner never calls settled what is on its way.
  const low = Math.min(settled, ...units.flatMap(({ handled }) => handled.map((mark) => mark.position - 1)));
  const cursorOf = ({ cursor, isEarlier }: { cursor: number; isEarlier: boolean }): HeldCursor => ({
    name: names.cursor(cursor),
    epoch: Math.max(0, (epochs.get(names.cursor(cursor)) ?? 1) - (isEarlier ? 1 : 0)),
    settledTo: () => low,
  });
  const commits = units.map((sketch) => {
    const unit = unitOf(sketch, names, cursorOf, now);
    return subject.store.commit(unit).then(
      () => unit.events.map((event) => event.position),
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );
  });
  return { progress, answers: await Promise.all(commits) };
}

/** What both stores hold before a round. */
interface State {
  readonly aside: ReadonlyMap<string, Long>;
  readonly due: ReadonlyMap<Uuid, Timestamp>;
  readonly revisions: ReadonlyMap<string, Long>;
}

async function stateOf(reactions: ReactionStore, names: Names): Promise<State> {
  const aside = new Map<string, Long>();
  const [due, revisions] = [new Map<Uuid, Timestamp>(), new Map<string, Long>()];
  for (const number of [0, 1]) {
    const cursor = names.cursor(number);
    for (const { key, position: at } of await reactions.asideKeys(cursor)) aside.set(`${cursor} ${key}`, at);
    const process = await reactions.process(names.cursor(9), `key-${number}`);
    revisions.set(`key-${number}`, process?.revision ?? 0);
  }
  for (const number of [0, 1, 2]) {
    const id = names.uuid('timer', number);
    for (const { dueAt } of await reactions.timersOf('command', 'timer', id)) due.set(id, dueAt);
  }
  return { aside, due, revisions };
}

const dueTimes = ['2031-01-01T00:00:00.000001Z', '2031-01-01T00:00:00.000002Z', '2030-01-01T00:00:00Z'];
const firedAt = (due: number | null, id: Uuid, now: State): Timestamp =>
  due === null ? (now.due.get(id) ?? dueOf(0)) : dueOf(due);
const dueOf = (number: number): string => dueTimes[number] ?? '';

function unitOf(
  sketch: SketchOfUnit,
  names: Names,
  cursorOf: (of: { cursor: number; isEarlier: boolean }) => HeldCursor,
  now: State,
): Unit {
  const lists: UnitLists = {
    handled: sketch.handled.map((mark) => ({
      cursor: cursorOf(mark),
      position: mark.position,
      key: `key-${mark.key}`,
    })),
    aside: sketch.aside.map(({ key, from, next, parked, ...of }) => ({
      cursor: cursorOf(of),
      key: `key-${key}`,
      next,
      state: parked ? 'parked' : 'retrying',
      from: from ?? now.aside.get(`${names.cursor(of.cursor)} key-${key}`) ?? 0,
      attempts: next,
      retryInMs: 0,
      error: parked ? 'why' : null,
    })),
    timers: sketch.timers.map(({ id, due, keep, data }) => ({
      id: names.uuid('timer', id),
      kind: 'command',
      name: 'timer',
      key: names.uuid('timer', id),
      due: { at: dueOf(due) },
      again: keep ? 'keep' : 'replace',
      data,
      context: null,
    })),
    ended: sketch.ended.map(({ id, fired }) => ({
      id: names.uuid('timer', id),
      ...(fired === null ? {} : { firedAt: firedAt(fired.due, names.uuid('timer', id), now) }),
    })),
    reservations: sketch.reservations.map(({ key, owner, take, hold }) => ({
      key: names.uuid('name', key),
      name: 'email',
      owner: `owner-${owner}`,
      take,
      ...(hold ? { forMs: 3_600_000 } : {}),
    })),
    processes: sketch.processes.map(({ key, revision, state }) => ({
      name: names.cursor(9),
      key: `key-${key}`,
      version: 1,
      state: `state-${state}`,
      revision: revision ?? now.revisions.get(`key-${key}`) ?? 0,
      status: state === 2 ? 'ended' : 'running',
      snapshot: { state },
      trail: [],
    })),
  };
  return { ...eventsOf(sketch, names), records: [], lists };
}

function eventsOf({ stream }: SketchOfUnit, names: Names): Pick<Unit, 'events' | 'expected'> {
  const expected = new Map<Uuid, Long>();
  if (stream === null) return { events: [], expected };
  const streamId = names.uuid('stream', stream.stream);
  if (stream.expected !== null) expected.set(streamId, stream.expected);
  const envelope = {
    messageId: newUuid(),
    messageType: 'Happened',
    payload: {},
    timestamp: '2026-01-01T00:00:00Z',
    v: 1,
  } as const;
  return { events: [{ streamId, envelope }], expected };
}

async function contentOf(subject: StoreWithLists, names: Names): Promise<unknown[]> {
  const { store, reactions } = subject;
  const content: unknown[] = [];
  for (const number of [0, 1]) {
    content.push(await reactions.asideKeys(names.cursor(number)));
    content.push(await takeIn(subject, names, number));
  }
  for (const number of [0, 1, 2]) {
    const timer = names.uuid('timer', number);
    for (const { dueAt, data } of await reactions.timersOf('command', 'timer', timer))
      content.push([microsOf(dueAt), data]);
    const process = await reactions.process(names.cursor(9), `key-${number}`);
    content.push(process && { ...process, startedAt: '', updatedAt: '' });
    content.push(await store.lastPosition(names.uuid('stream', number)));
    content.push(await ownerOf(store, names.uuid('name', number)));
  }
  return content;
}

/** Found by who may still take it. */
async function ownerOf(store: StoreWithLists['store'], key: Uuid): Promise<string[]> {
  const free: string[] = [];
  for (const owner of ['owner-2', 'owner-1', 'owner-0']) {
    const takes = [{ key, name: 'email', owner, take: true }];
    const lists = { handled: [], aside: [], timers: [], ended: [], reservations: takes, processes: [] };
    const outcome = await store.commit({ events: [], records: [], expected: new Map(), lists }).then(
      () => true,
      () => false,
    );
    if (outcome) free.push(owner);
  }
  return free;
}
