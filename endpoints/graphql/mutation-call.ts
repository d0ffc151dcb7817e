import type { ValueNode } from 'graphql';
import { decodeStrictly, type WrittenAt } from '../../contracts/codec.js';
import type { Problem } from '../../contracts/problems.js';
import type { Cancellation } from '../../runtime/lang/cancellation.js';
import { type Caller, RequestContext, runOf } from '../../runtime/request/request-context.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { mustBePermitted } from '../access/caller.js';
import { decodeGuarded } from '../decode-guard.js';
import type { Correlation } from '../http/correlation.js';
import { resultOf } from '../problem.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import type { EndpointPorts, EndpointRegistration } from '../registrations.js';
import { answerOnce, idempotencyOf, RepeatedProblem, resultIn } from '../idempotency.js';
import { bodyPointer } from './body-pointer.js';
import type { Reader } from './perspective-reads.js';

/** A field of the mutation type and the endpoint behind it. */
export interface MutationField {
  readonly registration: EndpointRegistration;
  /** The answer of a command without a result. */
  readonly whenVoid: true | undefined;
}

/** What the fields of one HTTP request share. */
interface CallInit {
  readonly cancellation: Cancellation;
  readonly correlation: Omit<Correlation, 'messageId'>;
  readonly caller?: Caller | undefined;
  /** The Idempotency-Key. */
  readonly key: string | undefined;
  readonly instance: string;
  /** Counts a field after the first, which was counted with its request; returns why it is refused. */
  readonly limit?: (() => Problem | undefined) | undefined;
  readonly lastEventId?: string | string[] | undefined;
  /** Called when a field is answered without a lifecycle; without an error when a stored answer is repeated. */
  readonly unstarted?: (command: string, id: Uuid, error?: unknown) => void;
  /** The source text of the numbers in the body. */
  readonly writtenAt?: WrittenAt | undefined;
}

/** The fields of one HTTP request: each mutation runs the lifecycle of its own endpoint, in its own unit of work. */
export class MutationCall {
  readonly #results = new Map<string, Promise<unknown>>();
  #replays = 0;
  #modelStates: Set<string> | undefined;

  constructor(
    private readonly ports: EndpointPorts,
    private readonly init: CallInit,
  ) {}

  get correlationId(): string {
    return this.init.correlation.correlationId;
  }

  get isReplayed(): boolean {
    return this.#replays > 0 && this.#replays === this.#results.size;
  }

  /** Whether a field ran, and was not only replayed. */
  get hasWorked(): boolean {
    return this.#replays < this.#results.size;
  }

  /** What readers should know of the models that were read. */
  get modelStates(): string | undefined {
    return this.#modelStates && [...this.#modelStates].join(', ');
  }

  /** How many fields were requested. */
  get fields(): number {
    return this.#results.size;
  }

  hasRun(responseKey: string): boolean {
    return this.#results.has(responseKey);
  }

  /** A field runs once, however often its result is requested. `node` is the input in the document. */
  resultOf(field: MutationField, input: unknown, responseKey: string, node?: ValueNode): Promise<unknown> {
    const known = this.#results.get(responseKey);
    if (known !== undefined) return known;
    const result = this.#run(field, input, responseKey, node);
    this.#results.set(responseKey, result);
    return result;
  }

  /** A field of the query or subscription type; GraphQL asks for each once. */
  readOf<T>(responseKey: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    const { caller, correlation: origin, lastEventId } = this.init;
    const note = (state: string): void => void (this.#modelStates ??= new Set()).add(state);
    const result = read({ caller, origin, lastEventId, note });
    this.#results.set(responseKey, result);
    return result;
  }

  async #run(
    { registration, whenVoid }: MutationField,
    input: unknown,
    responseKey: string,
    node: ValueNode | undefined,
  ): Promise<unknown> {
    const { cancellation, caller, key, instance } = this.init;
    const { name } = registration.command;
    const messageId = newUuid();
    const orVoid = (result: unknown): unknown => (result === undefined ? whenVoid : result);
    let context: RequestContext | undefined;
    try {
      const sent = this.#decoded(registration, input, node);
      const keyed =
        key === undefined
          ? undefined
          : idempotencyOf({ key: `${key}:${responseKey}`, of: registration, sent, caller });
      const given = { transport: 'graphql', cancellation, messageId, caller, idempotency: keyed } as const;
      const of = (context = new RequestContext(given, this.init.correlation));
      const run = () => lifecycleOf(registration.endpoint).run(registration.takes, sent, of);
      if (keyed === undefined) return orVoid(resultOf(await run(), of));
      const answer = await answerOnce(this.ports, { context: of, idempotency: keyed, instance, run });
      if (answer.replayed) this.#replays++;
      if (answer.replayed && !runOf(of).isInLifecycle) this.init.unstarted?.(name, messageId);
      return orVoid(resultIn(answer));
    } catch (error) {
      const isStored = error instanceof RepeatedProblem;
      if (!isStored && (context === undefined || !runOf(context).isInLifecycle))
        this.init.unstarted?.(name, messageId, error);
      throw error;
    }
  }

  #decoded(registration: EndpointRegistration, input: unknown, node: ValueNode | undefined): unknown {
    const { caller, correlation, writtenAt, limit } = this.init;
    const { permission = 'authenticated', command } = registration;
    const limited = this.#results.size > 0 ? limit?.() : undefined;
    if (limited !== undefined) throw limited;
    mustBePermitted(caller, permission, command.name, correlation);
    const written = writtenAt && node && ((path: string) => writtenAt(bodyPointer(node, path)));
    return decodeGuarded(this.ports.guard, command.name, caller, () =>
      decodeStrictly(registration.decode, input ?? {}, written),
    );
  }
}
