import type { ValueNode } from 'graphql';
import { decodeStrictly, type WrittenAt } from '../../contracts/codec.js';
import { type Fault, Problem } from '../../contracts/problems.js';
import type { Cancellation } from '../../runtime/cancellation.js';
import { type Caller, RequestContext } from '../../runtime/request-context.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { TraceSpan } from '../../runtime/tracing.js';
import type { EndpointRegistration } from '../registrations.js';
import {
  type EndpointPorts,
  type Invocation,
  problemOfEnd,
  runEndpoint,
  runEndpointOnce,
} from '../run-endpoint.js';
import { bodyPointer } from './body-pointer.js';

/** A field of the mutation type and the endpoint behind it. */
export interface MutationField {
  readonly registration: EndpointRegistration;
  /** The answer of a command without a result. */
  readonly whenVoid: true | undefined;
}

/** What the fields of one HTTP request share. */
interface CallInit {
  readonly cancellation: Cancellation;
  readonly correlationId: string;
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly span?: TraceSpan;
  readonly caller?: Caller | undefined;
  /** The Idempotency-Key. */
  readonly key: string | undefined;
  readonly instance: string;
  /** Called when a field is answered without a lifecycle; without an error when a stored answer is repeated. */
  readonly unstarted?: (command: string, id: Uuid, error?: unknown) => void;
  /** The source text of the numbers in the body. */
  readonly writtenAt?: WrittenAt | undefined;
}

/** The mutations of one HTTP request: each runs the lifecycle of its own endpoint, in its own unit of work. */
export class MutationCall {
  readonly #results = new Map<string, Promise<unknown>>();
  #replays = 0;

  constructor(
    private readonly ports: EndpointPorts,
    private readonly init: CallInit,
  ) {}

  get correlationId(): string {
    return this.init.correlationId;
  }

  get isReplayed(): boolean {
    return this.#replays > 0 && this.#replays === this.#results.size;
  }

  /** Whether a field ran, and was not only replayed. */
  get hasWorked(): boolean {
    return this.#replays < this.#results.size;
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

  async #run(
    { registration, whenVoid }: MutationField,
    input: unknown,
    responseKey: string,
    node: ValueNode | undefined,
  ): Promise<unknown> {
    const { cancellation, correlationId, traceparent, tracestate, span, caller, key } = this.init;
    const context = new RequestContext({
      transport: 'graphql',
      cancellation,
      correlationId,
      traceparent,
      tracestate,
      span,
      caller,
    });
    const { name } = registration.command;
    try {
      const decoded = this.#decoded(registration, input, node);
      const invocation = { registration, context, decoded };
      const result = await (key === undefined
        ? this.#runUnkeyed(invocation)
        : this.#runKeyed(invocation, `${key}:${responseKey}`));
      return result === undefined ? whenVoid : result;
    } catch (error) {
      if (!context.inLifecycle && !(error instanceof RepeatedProblem))
        this.init.unstarted?.(name, context.messageId, error);
      throw error;
    }
  }

  #decoded(registration: EndpointRegistration, input: unknown, node: ValueNode | undefined): unknown {
    const { caller, writtenAt } = this.init;
    const { permission = 'authenticated', command } = registration;
    const resource = { type: command.name };
    const refusal = caller?.guard?.refusalOf(caller.identity, permission, resource, undefined, this.init);
    if (refusal !== undefined) throw refusal;
    const written = writtenAt && node && ((path: string) => writtenAt(bodyPointer(node, path)));
    return decodeStrictly(registration.decode, input ?? {}, written);
  }

  async #runUnkeyed(invocation: Invocation): Promise<unknown> {
    const end = await runEndpoint(invocation);
    if ('result' in end) return end.result;
    throw problemOfEnd(end, invocation.context);
  }

  async #runKeyed(invocation: Invocation, key: string): Promise<unknown> {
    const { instance } = this.init;
    const { context, registration } = invocation;
    const { body, status, replayed } = await runEndpointOnce(invocation, this.ports, { key, instance });
    if (replayed) this.#replays++;
    if (replayed && !context.inLifecycle) this.init.unstarted?.(registration.command.name, context.messageId);
    const stored: unknown = body === null ? undefined : JSON.parse(body);
    if (status >= 400) throw storedProblem(stored as StoredProblem);
    return stored;
  }
}

/** The stored answer of an earlier request. */
class RepeatedProblem extends Problem {}

/** A problem as it was first answered and stored. */
interface StoredProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  readonly instance: string;
  readonly correlationId: string;
  readonly [extension: string]: unknown;
}

function storedProblem(stored: StoredProblem): Problem {
  const { type, title, status, detail, errors, instance: _, correlationId: __, ...extensions } = stored;
  const details = {
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
  };
  return new RepeatedProblem(type.slice(type.lastIndexOf(':') + 1), {
    title,
    status,
    ...details,
    extensions,
  });
}
