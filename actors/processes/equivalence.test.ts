import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  assign,
  createActor,
  enqueueActions,
  SimulatedClock,
} from 'xstate';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryProcess } from '../kit/in-memory-process.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import { processSetup, shape } from './process-setup.js';
import { stateText } from './state-text.js';

const test = suite('a durable process and an XState actor');

class Started extends Event {}
class A extends Event {}
class B extends Event {}
class C extends Event {}
class Do extends Command {
  what!: string;
}

const messages = { Started, A, B, C };
type Name = 'A' | 'B' | 'C';

interface Context {
  n: number;
  refusals: number;
}

const parts = processSetup({
  events: messages,
  commands: { Do },
  context: shape<Context>(),
  raises: shape<{ type: 'raised' }>(),
});

/** Half of all commands are refused, by what they say. */
const isRefused = (command: Do): boolean => command.what.endsWith('!');

type Action = 'count' | 'raise' | 'later' | { readonly send: string };
interface Step {
  readonly target: number | undefined;
  readonly reenter: boolean;
  readonly guard: 'even' | 'few' | undefined;
  readonly actions: readonly Action[];
}
interface State {
  readonly on: Readonly<Partial<Record<Name | 'raised', Step>>>;
  readonly after: readonly (readonly [delay: number, step: Step])[];
  readonly always: Step | undefined;
  readonly entry: readonly Action[];
  readonly exit: readonly Action[];
  readonly kind: 'atomic' | 'final' | 'compound' | 'history';
}
type Region = readonly State[];
/** One region, or several in parallel. */
type Plan = readonly Region[];
type Moment = Name | number;

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom<Action>('count', 'raise', 'later'),
  fc.constantFrom('x', 'y', 'x!', 'y!').map((send) => ({ send })),
);
const actions = fc.array(action, { maxLength: 2 });
const step: fc.Arbitrary<Step> = fc.record({
  target: fc.option(fc.nat(4), { nil: undefined }),
  reenter: fc.boolean(),
  guard: fc.constantFrom('even', 'few', undefined),
  actions,
});
const state: fc.Arbitrary<State> = fc.record({
  on: fc.dictionary(fc.constantFrom<Name | 'raised'>('A', 'B', 'C', 'raised'), step, { maxKeys: 3 }),
  after: fc.array(fc.tuple(fc.integer({ min: 4, max: 40 }), step), { maxLength: 2 }),
  always: fc.option(step, { nil: undefined, freq: 4 }),
  entry: actions,
  exit: actions,
  kind: fc.constantFrom('atomic', 'atomic', 'atomic', 'final', 'compound', 'history'),
});
const plan: fc.Arbitrary<Plan> = fc.array(fc.array(state, { minLength: 2, maxLength: 4 }), {
  minLength: 1,
  maxLength: 3,
});
const moments: fc.Arbitrary<readonly Moment[]> = fc.array(
  fc.oneof(fc.constantFrom<Moment>('A', 'B', 'C'), fc.integer({ min: 0, max: 40 })),
  { minLength: 3, maxLength: 10 },
);

const guards = {
  even: ({ context }: { readonly context: Context }) => context.n % 2 === 0,
  few: ({ context }: { readonly context: Context }) => context.n < 6,
};

/** What continues by itself counts, so that it comes to rest. */
const count = assign<Context, never, undefined, never, never>({ n: ({ context }) => context.n + 1 });

const raiseOnce = (options: { delay?: number }): unknown =>
  enqueueActions(({ context, enqueue }) => {
    if ((context as Context).n >= 12) return;
    enqueue(count as never);
    enqueue.raise({ type: 'raised' }, options);
  });

function actionOf(each: Action): unknown {
  if (each === 'count') return count;
  if (each === 'raise') return raiseOnce({});
  if (each === 'later') return raiseOnce({ delay: 7 });
  return {
    type: 'send',
    params: ({ context }: { context: Context }) => Do.of({ what: `${context.n}${each.send}` }),
  };
}

/** The states of a region; a step names one by its number. */
interface Place {
  readonly region: Region;
  readonly path: string;
  /** One region alone: XState runs the `always` of several in the order in which they were entered. */
  readonly hasAlways: boolean;
}

const stepOf = ({ target, reenter, guard, actions: list }: Step, { region, path }: Place): object => {
  const index = (target ?? 0) % region.length;
  return {
    ...(target === undefined ? {} : { target: `#${path}.s${index}` }),
    // By way of a history state XState enters a state again that it has not left.
    reenter: reenter || (index > 0 && region[index]?.kind === 'history'),
    actions: list.map(actionOf),
    ...(guard === undefined ? {} : { guard: guards[guard] }),
  };
};

function stateOf(each: State, index: number, place: Place): object {
  const { path, hasAlways } = place;
  const convert = (one: Step) => stepOf(one, place);
  if (index > 0 && each.kind === 'final') return { type: 'final', entry: each.entry.map(actionOf) };
  if (index > 0 && each.kind === 'history')
    return { type: 'history', history: 'deep', target: `#${path}.s0` };
  const nested = {
    initial: 'i',
    states: { i: { on: { A: 'j' }, after: { 11: 'j' } }, j: { on: { B: 'i' } } },
  };
  return {
    ...(each.kind === 'compound' ? nested : {}),
    on: Object.fromEntries(Object.entries(each.on).map(([type, one]) => [type, convert(one)])),
    after: Object.fromEntries(each.after.map(([delay, one]) => [delay, convert(one)])),
    // Each time it continues it counts, and it stops at 12.
    ...(each.always === undefined || !hasAlways
      ? {}
      : {
          always: {
            ...convert(each.always),
            guard: ({ context }: { readonly context: Context }) => context.n < 12 && context.n % 3 === 0,
            actions: [count, ...each.always.actions.map(actionOf)],
          },
        }),
    entry: each.entry.map(actionOf),
    exit: each.exit.map(actionOf),
  };
}

const regionOf = (region: Region, path: string, hasAlways: boolean): object => ({
  id: path,
  initial: 's0',
  states: Object.fromEntries(
    region.map((each, index) => [`s${index}`, stateOf(each, index, { region, path, hasAlways })]),
  ),
});

function machineOf(regions: Plan): AnyStateMachine {
  const on = { 'Do.refused': { actions: assign({ refusals: ({ context }) => context.refusals + 1 }) } };
  const [first = []] = regions;
  const body =
    regions.length === 1
      ? regionOf(first, 'm', true)
      : {
          id: 'm',
          type: 'parallel',
          states: Object.fromEntries(
            regions.map((region, index) => [`r${index}`, regionOf(region, `m${index}`, index === 0)]),
          ),
        };
  const config = { ...body, context: { n: 0, refusals: 0 }, on };
  return (parts.createMachine as (config: object) => AnyStateMachine)(config);
}

interface Seen {
  readonly state: string;
  readonly context: unknown;
  readonly status: string;
  readonly sent: readonly string[];
  readonly pending: readonly string[];
}

const created = (name: Name | 'Started') => storedEvent(Object.assign(new messages[name]()));

/** XState's own actor, with a clock of its own. */
function asActor(machine: AnyStateMachine, acts: readonly Moment[]): readonly Seen[] {
  const sent: string[] = [];
  const clock = new SimulatedClock();
  const provided = machine.provide({
    actions: {
      send: ({ self }: { self: { send: (event: object) => void } }, command: Do) => {
        if (isRefused(command)) self.send({ type: 'Do.refused', problem: { code: 'no' }, command });
        else sent.push(command.what);
      },
    },
  } as never);
  const start = created('Started');
  const actor = createActor(provided, { clock, input: { type: 'Started', data: {}, event: start } });
  const seen: Seen[] = [];
  const look = () => {
    const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
    const { context, status } = snapshot as { context: unknown; status: string };
    const { _scheduledEvents } = actor.system.getSnapshot() as {
      _scheduledEvents: Record<string, { event: { type: string } }>;
    };
    const pending = Object.values(_scheduledEvents).map(({ event }) => event.type);
    seen.push({ state: stateText(snapshot), context, status, sent: [...sent], pending: pending.toSorted() });
  };
  actor.start();
  look();
  for (const act of acts) {
    // In single milliseconds: SimulatedClock fires what is due within an increment at its end.
    if (typeof act === 'number') for (let ms = 0; ms < act; ms++) clock.increment(1);
    else actor.send({ type: act, data: {}, event: start });
    look();
  }
  return seen;
}

const statuses = { running: 'active', ended: 'done', parked: 'parked' };

/** The same as durable steps. */
async function asProcess(machine: AnyStateMachine, acts: readonly Moment[]): Promise<readonly Seen[]> {
  const process = { name: 'm', version: 1, machine, starts: [Started], key: () => 'k' };
  const refusing = (command: Command) =>
    isRefused(command as Do) ? new Problem('no', { status: 409 }) : undefined;
  const run = new InMemoryProcess(process, refusing);
  const seen: Seen[] = [];
  const look = () => {
    const row = run.row('k');
    if (row === undefined) throw new TypeError(JSON.stringify(run.outcomes));
    const { context } = (row.snapshot ?? {}) as { context?: unknown };
    seen.push({
      state: row.state,
      context,
      status: run.outcomes.some(({ kind }) => kind === 'parked') ? 'parked' : statuses[row.status],
      sent: run.sent.map((command) => (command as Do).what),
      pending: run
        .timers()
        .map(({ data }) => (data as { event: { type: string } }).event.type)
        .toSorted(),
    });
  };
  await run.take(created('Started'));
  look();
  for (const act of acts) {
    if (typeof act === 'number') await run.advance(act);
    else await run.take(created(act));
    look();
  }
  return seen;
}

test('random machines reach the same states, send the same commands and wait for the same timers', async () => {
  const reached = { ended: 0, moved: 0, sent: 0, waiting: 0 };
  const property = fc.asyncProperty(plan, moments, async (regions, acts) => {
    const machine = machineOf(regions);
    const expected = asActor(machine, acts);
    const actual = await asProcess(machine, acts);
    // A final state takes no refusal: XState ignores it, a process is parked.
    const parked = actual.findIndex(({ status }) => status === 'parked');
    if (parked === -1) assert.equal(actual, expected);
    else {
      assert.equal(actual.slice(0, parked), expected.slice(0, parked));
      assert.is(expected[parked]?.status, 'done');
    }
    const last = expected.at(-1);
    reached.ended += Number(last?.status === 'done');
    reached.moved += Number(new Set(expected.map((each) => each.state)).size > 2);
    reached.sent += Number((last?.sent.length ?? 0) > 1);
    reached.waiting += Number((last?.pending.length ?? 0) > 0);
  });
  await fc.assert(property, { numRuns: 50 });
  // Of these, some are known to end.
  await fc.assert(property, { numRuns: 150, seed: 7 });
  for (const [what, machines] of Object.entries(reached)) assert.ok(machines > 0, `${what}: ${machines}`);
});
