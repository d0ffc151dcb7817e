import type { AppendOptions, EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { Flags } from '../../contracts/flags.js';
import { type Command, type Event, type SystemEvent } from '../../contracts/message.js';
import type { ModelQuery, ModelReader, PerspectiveClass } from '../../contracts/model-query.js';
import { Problem } from '../../contracts/problems.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import type { ReservationOptions, StreamRead, UnitOfWork } from '../../contracts/receptor.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { ReservationKey } from '../../contracts/unit-lists.js';
import type { KeyedOutcome, StagedEvent, StagedRecord } from '../../contracts/unit-store.js';
import { byOccurrence } from './by-occurrence.js';
import { collected } from './collected.js';
import { asIfStored } from '../envelope/staged-event.js';
import { envelopeOf } from './envelope-of.js';
import type { Auditable, Auditor, AuditedUnit } from './audited-unit.js';
import { reservationStep } from '../reservations/reservation-step.js';
import type { DecidedState, StagedBase } from './staged-base.js';
import type { StagedPart, StagedStep } from './staged-step.js';
import { effectRow } from '../effects/effect-row.js';
import type { KnownEffect } from '../effects/known-effect.js';
import { flatScope, type RequestContext, runOf } from '../request/request-context.js';
import { StagedLists } from './staged-lists.js';
import { commandTimer, commandTimerId, type TimerCause } from '../timers/command-timer.js';
import { type HasWebhookHost, webhookHost, type WebhookHost } from '../webhooks/webhook-host.js';

/** How system messages join a unit; those that are not enabled are dropped. */
export interface UnitStaging {
  /** A system event that the receptor emits. */
  readonly system?: (event: SystemEvent, context: RequestContext) => StagedRecord | undefined;
  /** Called for the audit of each staged event. */
  readonly auditor?: Auditor;
  /** Reads rows of perspectives. */
  readonly models?: ModelReader | undefined;
  /** The effect that does a command. */
  readonly effectOf?: (command: Command) => KnownEffect | undefined;
  /** Set by a host that sends webhooks. */
  readonly webhooks?: WebhookHost | undefined;
  /** Set by a store that has reservations. */
  readonly reservationKey?: ReservationKey | undefined;
}

const nothing: ReadonlyMap<Uuid, Long> = new Map();

/** Collects everything that a receptor stages, until the pipeline commits it as one. */
export class StagedUnit implements UnitOfWork, AuditedUnit, StagedPart, HasWebhookHost {
  readonly events: StagedEvent[] = [];
  readonly records: StagedRecord[] = [];
  readonly deferred: (() => void | Promise<void>)[] = [];
  outcome: KeyedOutcome | undefined;
  /** The state of the decider that has decided this unit. */
  decided: DecidedState | undefined;
  /** Set when its command runs again because the state that it was decided on has changed. */
  isRepeated = false;
  /** The last position of the commit that it shared with other units. */
  end: Long | undefined;
  lists: StagedLists | undefined;
  #seen: Map<Uuid, Long> | undefined;
  #expected: Map<Uuid, Long> | undefined;
  #state: 'open' | 'closed' | 'stored' = 'open';

  constructor(
    readonly context: RequestContext,
    private readonly store: EventStore,
    private readonly staging: UnitStaging = {},
    /** Uncommitted work that this unit sees: it will be committed before this unit, or with it. */
    public earlier?: StagedStep | StagedBase,
  ) {}

  get expected(): ReadonlyMap<Uuid, Long> {
    return this.#expected ?? nothing;
  }

  get signal(): AbortSignal {
    return this.context.cancellationToken;
  }

  get flags(): Flags {
    return this.context.flags;
  }

  get [webhookHost](): WebhookHost | undefined {
    return this.staging.webhooks;
  }

  get isEmpty(): boolean {
    const { events, records, expected, outcome, lists } = this;
    const isStaged = outcome !== undefined || lists !== undefined;
    return !isStaged && events.length + records.length + expected.size === 0;
  }

  append(
    streamId: Uuid,
    events: Event | readonly Event[],
    options: AppendOptions = {},
  ): readonly StagedEvent[] {
    this.#mustBeOpen();
    this.#expect(streamId, options);
    const list = Array.isArray(events) ? (events as readonly Event[]) : [events as Event];
    const staged = list.map((event): StagedEvent => ({
      streamId,
      envelope: envelopeOf(event, streamId, this.context),
      occurredAt: options.occurredAt,
    }));
    for (const event of staged) {
      this.events.push(event);
      this.audit(event);
    }
    return staged;
  }

  async *read(streamId: Uuid, options: StreamRead = {}): AsyncIterable<StoredEvent> {
    this.#mustBeOpen();
    const { from = 1, origin = 'own' } = options;
    const stored = await this.#stored(streamId, from);
    const position = stored.at(-1)?.streamPosition ?? (await this.#endBefore(streamId, from));
    const received =
      origin === 'own' ? [] : await collected(this.store.read(streamId, { from, origin: 'others' }));
    this.#mustBeOpen();
    const seen = (this.#seen ??= new Map());
    if (!seen.has(streamId)) seen.set(streamId, position);
    if (options.guard === true && !this.expected.has(streamId))
      this.#mustBeAt(streamId, seen.get(streamId) ?? 0);
    yield* origin === 'others' ? received : byOccurrence(stored, received);
    if (origin === 'others') return;
    const { earlier } = this;
    const staged = earlier?.countsAsStored === false ? [...earlier.eventsOf(streamId, position)] : [];
    for (const events of [staged, this.stagedEvents(streamId, position + staged.length)])
      for (const event of events) if (event.streamPosition >= from) yield event;
  }

  async #stored(streamId: Uuid, from: Long): Promise<readonly StoredEvent[]> {
    if (this.earlier?.countsAsStored === true) return this.earlier.read(this.store, streamId, from);
    const { signal } = this.context.cancellation;
    return collected(this.store.read(streamId, { from, signal }));
  }

  /** Excludes events that are stored after the read. */
  async #endBefore(streamId: Uuid, from: Long): Promise<Long> {
    if (from <= 1) return 0;
    const staged = this.earlier?.countsAsStored === true ? this.earlier.endOf(streamId) : 0;
    return Math.min(from - 1, Math.max(staged, await this.store.lastPosition(streamId)));
  }

  async model<TModel>(perspective: PerspectiveClass<TModel>, key: string): Promise<TModel | undefined> {
    const model = await this.#reader().one(perspective, key, this.context.scope.tenantId);
    this.#mustBeOpen();
    return model as TModel | undefined;
  }

  async models<TModel>(
    perspective: PerspectiveClass<TModel>,
    query: ModelQuery = {},
  ): Promise<readonly TModel[]> {
    const models = await this.#reader().some(perspective, query, this.context.scope.tenantId);
    this.#mustBeOpen();
    return models as readonly TModel[];
  }

  /** The number of events that this unit and those before it have staged for a stream. */
  stagedFor(streamId: Uuid): number {
    const own = this.events.filter((event) => event.streamId === streamId).length;
    return own + (this.earlier?.heightOf(streamId) ?? 0);
  }

  emit(event: SystemEvent): void {
    this.#mustBeOpen();
    const record = this.staging.system?.(event, this.context);
    if (record !== undefined) this.records.push(record);
  }

  schedule(command: Command, options: TimerOptions): void {
    this.#set(command, options, this.#cause());
  }

  send(command: Command, options: TimerOptions = {}): Uuid {
    const at = options.in === undefined && options.at === undefined ? { in: 'PT0S' } : {};
    return this.#set(command, { ...options, ...at }, this.#cause());
  }

  unsend(name: string, key = ''): void {
    this.unschedule(name, key);
  }

  /** Asks for the effect that does the command of this unit. */
  ask(command: Command): void {
    const { context } = this;
    const { causationId = context.messageId } = context;
    const id = runOf(context).askedAs ?? context.messageId;
    this.#set(command, { in: 'PT0S' }, { ...this.#cause(), causationId }, () => id);
  }

  unschedule(name: string, key = ''): void {
    this.#openLists().end(commandTimerId(name, key, this.#cause().scope));
  }

  reserve(name: string, value: string, options: ReservationOptions): void {
    this.#reservation(true, name, value, options);
  }

  release(name: string, value: string, options: Pick<ReservationOptions, 'owner'>): void {
    this.#reservation(false, name, value, options);
  }

  defer(task: () => void | Promise<void>): void {
    this.#mustBeOpen();
    this.deferred.push(task);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  audit(subject: Auditable, auditor = this.staging.auditor): StagedRecord | undefined {
    const record = auditor?.recordOf(subject);
    if (record === undefined || this.#state === 'stored') return record;
    this.#mustBeOpen();
    this.records.push(record);
    return undefined;
  }

  /** From here on every call is too late: the response is decided. */
  close(): void {
    if (this.#state === 'open') this.#state = 'closed';
  }

  /** The unit is committed. */
  stored(): void {
    this.#state = 'stored';
  }

  #openLists(): StagedLists {
    this.#mustBeOpen();
    return (this.lists ??= new StagedLists());
  }

  /** The command of an effect waits as what it asks for. */
  #set(command: Command, options: TimerOptions, cause: TimerCause, id?: () => Uuid): Uuid {
    const known = this.staging.effectOf?.(command);
    const timer =
      known === undefined
        ? commandTimer(command, options, cause, id)
        : effectRow(known, command, options, cause, id);
    this.#openLists().set(timer);
    return timer.id;
  }

  #cause(): TimerCause {
    const { messageId: causationId, correlationId, scope, traceparent, depth } = this.context;
    return { causationId, correlationId, scope: flatScope(scope), traceparent, depth };
  }

  #reservation(take: boolean, name: string, value: string, options: ReservationOptions): void {
    const { reservationKey } = this.staging;
    if (reservationKey === undefined)
      throw new Problem('invalid-setup', { detail: 'This dispatcher has no store for reservations.' });
    const tenant = this.context.scope.tenantId;
    const step = reservationStep(take, { name, value, tenant }, options, reservationKey);
    this.#openLists().reservations.push(step);
  }

  #reader(): ModelReader {
    this.#mustBeOpen();
    const { models } = this.staging;
    if (models !== undefined) return models;
    throw new Problem('invalid-setup', { detail: 'This dispatcher has no perspectives to read.' });
  }

  #mustBeOpen(): void {
    if (this.#state !== 'open')
      throw new Problem('unit-closed', { detail: 'The unit of work was used after its command ended.' });
  }

  /** The commit compares with the position before this unit or its step, so already staged events are subtracted. */
  #expect(streamId: Uuid, { expectedPosition }: AppendOptions): void {
    if (expectedPosition === 'any') return;
    const stored = this.earlier?.countsAsStored === true ? this.earlier.heightOf(streamId) : 0;
    const before = this.stagedFor(streamId) - stored;
    const position = expectedPosition === undefined ? this.#seen?.get(streamId) : expectedPosition - before;
    const known = this.expected.get(streamId);
    if (position === undefined || position === known) return;
    if (known !== undefined && expectedPosition !== undefined) {
      throw new Problem('stream-conflict', {
        detail: `Stream ${streamId} cannot be expected at both ${known} and ${position}.`,
      });
    }
    if (known === undefined) this.#mustBeAt(streamId, position);
  }

  #mustBeAt(streamId: Uuid, position: Long): void {
    (this.#expected ??= new Map()).set(streamId, position);
  }

  /** As if they were stored after this position. */
  *stagedEvents(streamId: Uuid, position: Long): Iterable<StoredEvent> {
    let next = position;
    for (const event of this.events) if (event.streamId === streamId) yield asIfStored(event, ++next);
  }
}
