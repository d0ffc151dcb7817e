import { type ActorRefFrom, createActor, fromCallback } from 'xstate';
import type {
  AuditContext,
  SystemEventEmitter,
  SystemMessageContext,
} from '../contracts/system-event-emitter.js';
import type { Command, Envelope, MessageClass, MessageType } from '../contracts/message.js';
import { Problem } from '../contracts/problems.js';
import type { Long, Uuid } from '../contracts/scalars.js';
import type { SystemEventOptions } from '../contracts/system-event-options.js';
import { isSystemMessage, type SystemMessage } from '../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../contracts/unit-store.js';
import type { Auditing } from '../runtime/audit/auditing.js';
import { systemRecord } from '../runtime/audit/system-record.js';
import { failpoint } from '../runtime/lang/failpoint.js';
import { RequestContext, runOf } from '../runtime/request/request-context.js';

export interface EmitterPorts {
  readonly options: SystemEventOptions;
  readonly auditing: Auditing;
  /** Read at each emission: the store may be registered after the emitter. */
  store(): UnitStore;
  committed(records: readonly StagedRecord[]): void;
}

interface Emission {
  readonly type: 'emit';
  readonly record: StagedRecord;
  readonly signal: AbortSignal | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

const maxInFlight = 256;
const mailboxLimit = 10_000;

/** Commits records as they arrive, with a limit on commits in flight; the group commit combines them. */
const emitterLogic = fromCallback<Emission, EmitterPorts>(({ input, receive }) => {
  const waiting: Emission[] = [];
  let running = 0;
  const start = (emission: Emission): void => {
    running++;
    void commit(input, emission).finally(() => {
      running--;
      const next = waiting.shift();
      if (next !== undefined) start(next);
    });
  };
  receive((emission) => {
    if (running < maxInFlight) start(emission);
    else if (waiting.length < mailboxLimit) waiting.push(emission);
    else
      emission.reject(
        new Problem('overloaded', { detail: `${mailboxLimit} system events are waiting.`, retryAfter: 1 }),
      );
  });
  return () => {
    for (const emission of waiting.splice(0)) emission.reject(new Problem('draining'));
  };
});

async function commit(ports: EmitterPorts, emission: Emission): Promise<void> {
  try {
    const unit = { events: [], records: [emission.record], expected: new Map() };
    failpoint('emitter-before-commit');
    await ports.store().commit(unit, emission.signal);
    failpoint('emitter-after-commit');
    ports.committed(unit.records);
    emission.resolve();
  } catch (error) {
    emission.reject(error);
  }
}

/** The real emitter: an emission is stored when its promise resolves. */
export class SystemEventEmitterActor implements SystemEventEmitter {
  readonly #ports: EmitterPorts;
  readonly #actor: ActorRefFrom<typeof emitterLogic>;
  #stopped = false;

  constructor(ports: EmitterPorts) {
    this.#ports = ports;
    this.#actor = createActor(emitterLogic, { input: ports }).start();
  }

  async emitEventAudited(
    streamId: Uuid,
    streamPosition: Long,
    envelope: Envelope,
    signal?: AbortSignal,
  ): Promise<void> {
    const record = this.#ports.auditing.recordOfStored(streamId, streamPosition, envelope);
    if (record !== undefined) await this.#commit(record, signal);
  }

  /** Inside a unit of work the audit is staged and stored with the unit; a unit that was given up refuses it. */
  async emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context: AuditContext = {},
    signal?: AbortSignal,
  ): Promise<void> {
    const { auditing } = this.#ports;
    const handled = { command, response, receptorName, context };
    const unit = context instanceof RequestContext ? runOf(context).unit : undefined;
    const left = unit === undefined ? auditing.recordOf(handled) : unit.audit(handled, auditing);
    if (left !== undefined) await this.#commit(left, signal);
  }

  async emit(
    systemEvent: SystemMessage,
    signal?: AbortSignal,
    id?: Uuid,
    { correlationId, scope, count }: SystemMessageContext = {},
  ): Promise<void> {
    const type = systemEvent.constructor as MessageClass;
    if (!isSystemMessage(type)) {
      throw new Problem('invalid-system-event', {
        detail: `${type.name} is not a system event; append it to a stream instead.`,
      });
    }
    if (!this.#ports.options.isEnabled(type)) return;
    const record = systemRecord(systemEvent, { correlationId, scope }, this.#ports.auditing.policy);
    const counted = count === undefined ? record.envelope : { ...record.envelope, count };
    if (id === undefined) return this.#commit({ ...record, envelope: counted }, signal);
    const envelope = { ...counted, messageId: id };
    await this.#commit({ ...record, envelope }, signal).catch((error: unknown) => {
      if (!isStoredAlready(error)) throw error;
    });
  }

  shouldExcludeFromAudit(type: MessageType): boolean {
    return this.#ports.auditing.policy.isExcluded(type);
  }

  stop(): void {
    this.#stopped = true;
    this.#actor.stop();
  }

  #commit(record: StagedRecord, signal: AbortSignal | undefined): Promise<void> {
    // A stopped actor receives no message: the caller would wait forever.
    if (this.#stopped) return Promise.reject(new Problem('draining', { retryAfter: 1 }));
    return new Promise((resolve, reject) => {
      this.#actor.send({ type: 'emit', record, signal, resolve, reject });
    });
  }
}

const isStoredAlready = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'stream-conflict';
