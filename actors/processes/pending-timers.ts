import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { Json, Uuid } from '../../contracts/scalars.js';
import type { EndedTimer, SetTimer } from '../../contracts/unit-lists.js';
import { effectRow } from '../../runtime/effects/effect-row.js';
import { type Invoked, outcomeTimerId } from '../../runtime/effects/invoked.js';
import type { KnownEffect } from '../../runtime/effects/known-effect.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { storableText } from '../../runtime/lang/storable-text.js';
import type { TimerCause } from '../../runtime/timers/command-timer.js';
import { jsonFault } from './json-fault.js';
import type { MachineEvent } from './macrostep.js';
import type { PendingTimer, ProcessSnapshot } from './process.js';

/** The instance whose timers they are. */
interface TimerOwner {
  readonly name: string;
  readonly key: string;
  /** Scope, correlation and causation of the step. */
  readonly context: Json;
  /** The effect that does a command. */
  readonly effectOf?: ((command: Command) => KnownEffect | undefined) | undefined;
}

const maxDataBytes = 65_536;

/** The timers of a process while it takes a step: what the commit has to set and to end. */
export class PendingTimers {
  readonly #pending: Map<string, PendingTimer>;
  readonly #before: ReadonlySet<Uuid>;
  readonly #set = new Map<Uuid, SetTimer>();
  readonly #ended = new Map<Uuid, EndedTimer>();
  /** What the process has asked for with `invoke`. */
  readonly #effects: Map<string, PendingTimer>;
  #raised: number;

  /** `before`: as it was stored, when `now` is what a migration made of it. */
  constructor(
    private readonly owner: TimerOwner,
    now?: ProcessSnapshot,
    before: ProcessSnapshot | undefined = now,
  ) {
    this.#pending = new Map(Object.entries(now?.timers ?? {}));
    this.#effects = new Map(Object.entries(now?.effects ?? {}));
    this.#before = idsOf(before);
    this.#raised = now?.raised ?? 0;
    const kept = idsOf(now);
    for (const id of this.#before) if (!kept.has(id)) this.#ended.set(id, { id });
  }

  /** The event of a timer that is due. It is found by its id: a migration may have renamed it. */
  fire({ id, dueAt, data }: StoredTimer): MachineEvent {
    this.#ended.set(id, { id, firedAt: dueAt });
    const { event, invoke } = data as unknown as TimerData;
    if (invoke !== undefined) this.#effects.delete(invoke);
    const [sendId] = [...this.#pending].find(([, pending]) => pending.id === id) ?? [];
    if (sendId === undefined) return event;
    this.#pending.delete(sendId);
    return isAfter(sendId) ? { type: sendId } : event;
  }

  set(sendId: string | undefined, event: MachineEvent, inMs: number): void {
    const name = sendId ?? `xstate.raised.${++this.#raised}`;
    this.cancel(name);
    const { key, context } = this.owner;
    // The same for every try: a timer that is set again replaces itself.
    const id = namedUuid('process', this.owner.name, key, name);
    this.#pending.set(name, { id, type: event.type });
    const data = timerData({ sendId: name, event });
    this.#set.set(id, {
      id,
      kind: 'process',
      name: this.owner.name,
      key,
      due: { inMs },
      again: 'replace',
      data,
      context,
    });
  }

  cancel(sendId: string): void {
    const pending = this.#pending.get(sendId);
    if (pending === undefined) return;
    const { id } = pending;
    this.#pending.delete(sendId);
    this.#set.delete(id);
    if (this.#before.has(id) && !this.#ended.has(id)) this.#ended.set(id, { id });
  }

  /** Asks for the effect that does a command. */
  invoke(invokeId: string, command: Command): void {
    const { name, key, context, effectOf } = this.owner;
    const known = effectOf?.(command);
    if (known === undefined)
      throw new Problem('process-invalid', {
        detail: `No effect does ${command.constructor.name}, which ${invokeId} invokes: send it instead.`,
      });
    this.stop(invokeId);
    const id = namedUuid('invoke', name, key, invokeId, String(++this.#raised));
    const row = effectRow(known, command, {}, context as unknown as TimerCause, () => id);
    const invoke: Invoked = { process: name, key, id: invokeId };
    this.#effects.set(invokeId, { id, type: command.constructor.name });
    this.#set.set(id, { ...row, context: { ...(row.context as object), invoke: { ...invoke } } });
  }

  /** The state was left: what it asked for is cancelled, and so is an outcome that it has not taken. */
  stop(invokeId: string): void {
    const pending = this.#effects.get(invokeId);
    if (pending === undefined) return;
    this.#effects.delete(invokeId);
    const { id } = pending;
    if (this.#set.delete(id)) return;
    for (const ended of [id, outcomeTimerId(id)])
      if (!this.#ended.has(ended)) this.#ended.set(ended, { id: ended });
  }

  cancelAll(): void {
    for (const invokeId of this.#effects.keys()) this.stop(invokeId);
    for (const sendId of this.#pending.keys()) this.cancel(sendId);
  }

  get timers(): readonly SetTimer[] {
    return [...this.#set.values()];
  }

  /** A timer that is replaced is not ended, unless it has fired. */
  get ended(): readonly EndedTimer[] {
    return [...this.#ended.values()].filter(({ id, firedAt }) => firedAt !== undefined || !this.#set.has(id));
  }

  get stored(): Pick<ProcessSnapshot, 'timers' | 'raised' | 'effects'> {
    const effects = this.#effects.size === 0 ? {} : { effects: Object.fromEntries(this.#effects) };
    return { timers: Object.fromEntries(this.#pending), raised: this.#raised, ...effects };
  }
}

const idsOf = (snapshot: ProcessSnapshot | undefined): ReadonlySet<Uuid> =>
  new Set(Object.values(snapshot?.timers ?? {}).map(({ id }) => id));

/** Whether a timer belongs to an `after`: its send id is then the type of its event. */
export const isAfter = (sendId: string): boolean => sendId.startsWith('xstate.after.');

interface TimerData {
  readonly sendId: string;
  readonly event: MachineEvent;
  /** It is the outcome of this invoke. */
  readonly invoke?: string;
}

function timerData(data: TimerData): Json {
  const { type } = data.event;
  const fault = jsonFault(data.event, `the event ${type}`);
  if (fault !== undefined)
    throw new Problem('process-invalid', { detail: `A timer must be JSON, but ${fault}.` });
  const text = storableText(JSON.stringify(data));
  if (Buffer.byteLength(text) <= maxDataBytes) return JSON.parse(text) as Json;
  throw new Problem('process-too-large', { detail: `The event ${type} of a timer is larger than 64 KiB.` });
}
