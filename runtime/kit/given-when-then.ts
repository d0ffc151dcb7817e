import { deepStrictEqual, fail } from 'node:assert/strict';
import type { AnyDecider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { flagOff, type FlagRules, type FlagSource, isOnFor } from '../../contracts/flags.js';
import { identityFrom, type IdentityInit } from '../../contracts/identity.js';
import type { Command, Event } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { Problem } from '../../contracts/problems.js';
import type { Sent } from '../../contracts/reaction.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { Cancellation } from '../lang/cancellation.js';
import { type ContextInit, RequestContext } from '../request/request-context.js';
import { reservationKey } from '../reservations/reservation-key.js';
import { envelopeOf } from '../unit/envelope-of.js';
import { collect } from './collect.js';
import { deciderReceptor } from './decider-receptor.js';
import type { FakeClock } from './fake-clock.js';
import { type PastEvent, pastEvent } from './past-event.js';
import { describedSent } from './given-reaction.js';
import { type NamedValue, RecordingUnit } from './recording-unit.js';
import { type GivenPerspective, inMemoryModels } from './in-memory-models.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

/** A stream and its events, oldest first. */
export type StreamOfEvents = readonly [streamId: Uuid, ...events: Event[]];

/** A stream and what happened in it, oldest first; an event without a time happened just now, one without `by` in no tenant. */
export type PastStream = readonly [streamId: Uuid, ...events: (Event | PastEvent)[]];

/** The caller and its ids; by default anonymous, with new ids. */
export interface Caller extends Omit<ContextInit, 'transport' | 'cancellation' | 'flagSource' | 'scope'> {
  /** What you leave out is empty: `{ tenantId: 'acme' }`. */
  readonly scope?: Partial<PerspectiveScope>;
  /** Who sends the command, as an authenticator would return it: `guard` in a receptor decides by it. */
  readonly identity?: Partial<IdentityInit>;
}

export interface Outcome<TResult> {
  readonly result: TResult;
  /** The domain events that the command appended. */
  readonly events: readonly StoredEvent[];
  /** The system events that it emitted. */
  readonly emitted: readonly StoredEvent[];
  /** The commands that it sent, and the timers that it set and cancelled. */
  readonly timers: readonly Sent[];
  /** The unique names that it took, and those that it gave back. */
  readonly reserved: readonly NamedValue[];
  readonly released: readonly NamedValue[];
}

/** Flags that are on or off for everyone, or have rules: `{ 'gift-wrap': true, 'fast-lane': { tenants: { acme: true } } }`. */
export type GivenFlags = Readonly<Record<string, boolean | Partial<FlagRules>>>;

export interface Given<TCommand extends Command, TResult> {
  /** Sets feature flags; all others are off. */
  withFlags(flags: GivenFlags): Given<TCommand, TResult>;
  /** Sets the time of everything that is stored; give the same clock to a receptor that asks for the time. */
  withClock(clock: Pick<FakeClock, 'now'>): Given<TCommand, TResult>;
  /** Lets the receptor read a perspective: it folds the given events, and then has the rows `[key, model]` as well. */
  withPerspective<TModel>(
    perspective: AnyPerspective<TModel>,
    ...rows: readonly (readonly [key: string, model: TModel])[]
  ): Given<TCommand, TResult>;
  /** Another owner, or the one you name, has a unique name: `.withReserved('email', 'ada@example.com')`. */
  withReserved(name: string, value: string, by?: { readonly owner: string }): Given<TCommand, TResult>;
  when(command: TCommand, by?: Caller): When<TResult>;
}

/** Every expectation runs the command again, on the same past. */
export interface When<TResult> {
  /** Exactly these domain events were appended, in this order; `[streamId, …]` also checks the stream. */
  then(...expected: readonly (Event | StreamOfEvents)[]): Promise<void>;
  thenNothing(): Promise<void>;
  /** The command failed with this problem, and nothing was appended. */
  thenRefuses(code: string): Promise<void>;
  thenReturns(result: TResult): Promise<void>;
  /** Exactly these were sent, set or cancelled, in this order: `SendSms.of(…)`, `later(…)`, `unschedule(…)`. */
  thenSchedules(...expected: readonly Sent[]): Promise<void>;
  /** For values that are known only afterwards, such as new ids. */
  outcome(): Promise<Outcome<TResult>>;
}

/** A command of a decider. */
export type CommandOf<TDecider extends AnyDecider> = InstanceType<
  TDecider['commands'][keyof TDecider['commands']]
>;

/** Tests a receptor or a decider without a server: `given(receptor, [orderId, created]).when(command).then(cancelled)`. */
export function given<TCommand extends Command, TResult>(
  receptor: Receptor<TCommand, TResult>,
  ...past: readonly PastStream[]
): Given<TCommand, TResult>;
export function given<TDecider extends AnyDecider>(
  decider: TDecider,
  ...past: readonly PastStream[]
): Given<CommandOf<TDecider>, unknown>;
export function given(
  tested: Receptor<Command, unknown> | AnyDecider,
  ...past: readonly PastStream[]
): Given<Command, unknown> {
  const receptor = 'decide' in tested ? deciderReceptor(tested) : tested;
  return givenSurroundings(receptor, past, { flags: {}, perspectives: [], reserved: [] });
}

interface Surroundings {
  readonly flags: GivenFlags;
  readonly perspectives: readonly GivenPerspective[];
  readonly reserved: readonly NamedValue[];
  readonly clock?: Pick<FakeClock, 'now'>;
}

function givenSurroundings<TCommand extends Command, TResult>(
  receptor: Receptor<TCommand, TResult>,
  past: readonly PastStream[],
  surroundings: Surroundings,
): Given<TCommand, TResult> {
  const { flags, perspectives, reserved } = surroundings;
  const having = (more: Partial<Surroundings>) =>
    givenSurroundings(receptor, past, { ...surroundings, ...more });
  return {
    withFlags: (more) => having({ flags: { ...flags, ...more } }),
    withClock: (clock) => having({ clock }),
    withPerspective: (perspective, ...rows) =>
      having({ perspectives: [...perspectives, { perspective, rows }] }),
    withReserved: (name, value, { owner } = { owner: 'another' }) =>
      having({ reserved: [...reserved, { name, value, owner }] }),
    when: (command, caller = {}) => {
      const by = { ...contextOf(caller), flagSource: inMemoryFlags(flags) };
      const run = () => new Run(receptor, command, by, surroundings).after(past);
      return {
        then: (...expected) => (isAwaited(expected) ? refuseAwait(expected) : mustAdd(run, expected)),
        thenNothing: () => mustAdd(run, []),
        thenRefuses: (code) => mustRefuse(run, code),
        thenReturns: async (result) => deepStrictEqual(plain((await run()).result), plain(result)),
        thenSchedules: async (...expected) =>
          deepStrictEqual((await run()).timers.map(describedSent), expected.map(describedSent)),
        outcome: run,
      };
    },
  };
}

type CallerWithFlags = Omit<ContextInit, 'transport' | 'cancellation'>;

function contextOf({ identity, scope, ...rest }: Caller): CallerWithFlags {
  const init =
    scope === undefined ? rest : { ...rest, scope: { allowedPrincipals: [], extensions: {}, ...scope } };
  if (identity === undefined) return init;
  return {
    ...init,
    caller: { headers: {}, ...init.caller, identity: identityFrom({ source: 'test', ...identity }) },
  };
}

const inMemoryFlags = (flags: GivenFlags): FlagSource => ({
  isOn: (name, scope) => {
    const found = Object.hasOwn(flags, name) ? flags[name] : undefined;
    return typeof found === 'object' ? isOnFor(name, { ...flagOff, ...found }, scope) : found === true;
  },
});

/** One command in one unit of work, on its own store. */
class Run<TCommand extends Command, TResult> {
  readonly #store: InMemoryEventStore;

  constructor(
    private readonly receptor: Receptor<TCommand, TResult>,
    private readonly command: TCommand,
    private readonly by: CallerWithFlags,
    private readonly surroundings: Surroundings,
  ) {
    const { clock } = surroundings;
    this.#store = new InMemoryEventStore(clock && { now: clock.now });
  }

  async after(past: readonly PastStream[]): Promise<Outcome<TResult>> {
    const all = past.flatMap(([streamId, ...events]) =>
      events.map((event) => ({ streamId, item: pastEvent(event) })),
    );
    for (const { streamId, item } of all) await this.#happen(streamId, item);
    const start = all.length;
    await this.#reserve();

    const work = this.#unit(this.by);
    try {
      const result = await this.receptor.handle(this.command, work);
      work.close();
      await this.#store.commit(work);
      await runDeferred(work);
      const added = await collect(this.#store.readAll({ after: start }));
      const isSystem = ({ streamId }: StoredEvent) => streamId === SystemEventStreams.streamId;
      const { timers, reserved, released } = work;
      const events = added.filter((event) => !isSystem(event));
      return { result, events, emitted: added.filter(isSystem), timers, reserved, released };
    } finally {
      work.close();
    }
  }

  async #happen(
    streamId: Uuid,
    { event, circumstances: { scope, isReceived }, dated }: PastEvent,
  ): Promise<void> {
    const unit = this.#unit(contextOf(scope === undefined ? {} : { scope }));
    if (isReceived === true) {
      this.#store.receive(streamId, envelopeOf(event, streamId, unit.context), otherStore, dated);
      return;
    }
    unit.append(streamId, event, dated);
    await this.#store.commit(unit);
  }

  /** For the tenant of the command. */
  async #reserve(): Promise<void> {
    const unit = this.#unit(this.by);
    for (const { name, value, owner } of this.surroundings.reserved) unit.reserve(name, value, { owner });
    await this.#store.commit(unit);
  }

  #unit(by: CallerWithFlags): RecordingUnit {
    const context = new RequestContext({ ...by, transport: 'local', cancellation: new Cancellation() });
    return new RecordingUnit(context, this.#store, {
      system: (event) => ({
        envelope: envelopeOf(event, SystemEventStreams.streamId, context),
        publish: false,
      }),
      reservationKey: keyOfName,
      models: inMemoryModels(this.surroundings.perspectives, this.#store),
    });
  }
}

const keyOfName = reservationKey(new Uint8Array(32));

/** Awaited here, so that a test sees their effects. */
async function runDeferred({ deferred }: RecordingUnit): Promise<void> {
  try {
    for (const task of deferred) await task();
  } catch (cause) {
    throw new Problem('unexpected', { detail: 'A deferred task failed after the commit.', cause });
  }
}

async function mustAdd<TResult>(
  run: () => Promise<Outcome<TResult>>,
  expected: readonly (Event | StreamOfEvents)[],
): Promise<void> {
  const wanted = expected.flatMap((item) => (isStream(item) ? inStream(item) : [described(item)]));
  const { events } = await run();
  const added = events.map(({ streamId, messageType, payload }, index) => ({
    ...(wanted[index]?.streamId === undefined ? {} : { streamId }),
    type: messageType,
    payload,
  }));
  deepStrictEqual(added, wanted);
}

async function mustRefuse(run: () => Promise<unknown>, code: string): Promise<void> {
  const refusal = await run().then(
    () => fail(`The command was committed, but should have failed with '${code}'.`),
    (error: unknown) => error,
  );
  if (!(refusal instanceof Problem)) throw refusal;
  deepStrictEqual(refusal.code, code);
}

interface Described {
  readonly streamId?: Uuid;
  readonly type: string;
  readonly payload: unknown;
}

const described = (event: Event): Described => ({ type: event.constructor.name, payload: plain(event) });

/** The sender of received events. */
const otherStore = '00000000-0000-7000-8000-000000000002';

const inStream = ([streamId, ...events]: StreamOfEvents): Described[] =>
  events.map((event) => ({ streamId, ...described(event) }));

const isStream = (item: Event | StreamOfEvents): item is StreamOfEvents => Array.isArray(item);

/** The value as it is stored or sent: plain JSON data. */
const plain = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

type Callbacks = readonly [resolve: unknown, reject: (error: unknown) => void];

/** What `await` passes to anything with a `then` method. */
const isAwaited = (expected: readonly unknown[]): expected is Callbacks => typeof expected[0] === 'function';

async function refuseAwait([, reject]: Callbacks): Promise<void> {
  const detail =
    'State what you expect: .then(…events), .thenRefuses(code), .thenReturns(result) or .thenSchedules(…).';
  reject(new Problem('invalid-setup', { detail }));
}
