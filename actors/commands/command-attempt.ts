import type { ActorRefFrom } from 'xstate';
import type { Command } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { Observed, Visit } from '../../runtime/request/observer.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';
import type { StagedStep } from '../../runtime/unit/staged-step.js';
import type { StagedUnit } from '../../runtime/unit/unit-of-work.js';
import type { commandHandler } from './command-handler.js';
import type { CommandKeys } from './command-keys.js';
import type { Standing } from './key-line.js';
import type { QueuedCommand } from './waiting-commands.js';

/** The actor of one receptor, with its names. */
export interface Handler {
  readonly actor: ActorRefFrom<typeof commandHandler>;
  readonly receptor: Receptor<Command, unknown>;
  readonly name: string;
  readonly resultName: string | undefined;
  readonly keys: CommandKeys;
  /**
   * Whether its commands may be decided before earlier ones with the same key are committed. Its staged units show
   * whether they may.
   */
  follows: 'not yet' | 'yes' | 'never';
}

/** One command on its way to its handler and back. */
export class CommandAttempt implements QueuedCommand, Observed {
  status: QueuedCommand['status'] = 'none';
  slot = 0;
  key: string | undefined;
  keys: readonly string[] | undefined;
  ticket: number | undefined;
  /** Set while earlier commands with its key are not yet committed. */
  standing: Standing | undefined;
  /** Observes it in its handler. */
  visit: Visit | undefined;
  #state: 'waiting' | 'succeeded' | 'failed' = 'waiting';
  #answer: unknown;
  #resolve: ((result: unknown) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  constructor(
    readonly command: Command,
    readonly context: RequestContext,
    readonly work: StagedUnit,
    readonly handler: Handler,
    readonly step?: StagedStep,
    /** Whether it is decided and committed while no other command with its key is in flight. */
    readonly isAlone = true,
  ) {}

  get tenant(): string | undefined {
    return this.context.scope.tenantId;
  }

  get type(): string {
    return this.command.constructor.name;
  }

  get handlerName(): string {
    return this.handler.name;
  }

  get mayFollow(): boolean {
    return !this.isAlone && this.keys === undefined && this.handler.follows === 'yes';
  }

  get isNested(): boolean {
    return this.context.cause !== undefined;
  }

  isInStepWith(other: QueuedCommand): boolean {
    return this.step !== undefined && other instanceof CommandAttempt && other.step === this.step;
  }

  get mustNotWait(): boolean {
    return this.step !== undefined && this.step.parts.length > 0;
  }

  isInvokedBy({ work }: QueuedCommand): boolean {
    for (let { cause } = this.context; cause !== undefined; { cause } = cause)
      if ((runOf(cause).unit as object | undefined) === work) return true;
    return false;
  }

  get correlationId(): string {
    return this.context.correlationId;
  }

  get idempotencyKey(): Uint8Array | undefined {
    return this.context.idempotency?.key;
  }

  /** The handler's result, or a promise of it. */
  send(): unknown {
    const { cancellation } = this.context;
    if (cancellation.aborted) throw cancellation.reason;
    this.handler.actor.send({ type: 'enter', attempt: this });
    if (this.#state === 'succeeded') return this.#answer;
    if (this.#state === 'failed') throw this.#answer;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  begin(): void {
    const line = this.key === undefined ? undefined : this.handler.keys.lineOf(this.key);
    if (line !== undefined && !line.isEmpty && this.step === undefined) {
      this.standing = line.standing(this.context.cancellation);
      this.work.earlier = this.standing.base;
    }
    this.visit?.moved?.('begin', 'running');
  }

  succeed(result: unknown): void {
    this.#state = 'succeeded';
    this.#answer = result;
    this.#resolve?.(result);
  }

  fail(error: unknown): void {
    if (!this.context.cancellation.aborted) runOf(this.context).refusal = error;
    this.#state = 'failed';
    this.#answer = error;
    this.#reject?.(error);
  }
}
