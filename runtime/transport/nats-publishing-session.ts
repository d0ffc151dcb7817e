import {
  createInbox,
  DebugEvents,
  Events,
  type Msg,
  type NatsConnection,
  headers as natsHeaders,
} from 'nats';
import { Problem } from '../../contracts/problems.js';
import {
  DestinationUnreachable,
  type OutboundMessage,
  TransportUnreachable,
} from '../../contracts/transport.js';
import { withTimeout } from '../lang/with-timeout.js';
import { headersIn } from './nats-headers.js';
import type { NatsNames } from './nats-names.js';
import type { StreamState } from './nats-streams.js';
import { type PackedMessage, type Packing, packMessage } from './pack-nats-message.js';

/** How messages are sent. */
interface Sending extends Packing {
  readonly names: NatsNames;
}

interface Unanswered {
  readonly sentAt: number;
  resolve(): void;
  reject(error: Problem): void;
}

interface Answer {
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description?: string };
}

const answerTimeoutMs = 5_000;
const pingMs = 1_000;
const largerThanTheStreamAllows = 10_054;
const accountIsFull = 10_002;

/**
 * One connection from start to end. A missing answer ends it: then nothing that was sent on it can still arrive, and
 * the next session starts with the first unconfirmed message.
 */
export class NatsSession {
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #isOver = false;
  #failure: unknown;
  #sent = 0;
  readonly #unanswered = new Map<string, Unanswered>();
  readonly #inbox = `${createInbox()}.`;
  readonly #watch: NodeJS.Timeout;

  /** The streams that cannot be used, and so get no messages. */
  readonly #broken = new Set<string>();

  constructor(
    readonly connection: NatsConnection,
    private readonly sending: Sending,
    states: readonly StreamState[] = [],
  ) {
    this.streams = states;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    connection.subscribe(`${this.#inbox}*`, { callback: (_, answer) => this.#answered(answer) });
    void this.#follow();
    void connection.closed().then((failure) => {
      this.#failure ??= failure ?? undefined;
      this.end();
    });
    this.#watch = setInterval(() => this.#checkOldest(), answerTimeoutMs / 5);
  }

  #streams: readonly StreamState[] = [];

  get streams(): readonly StreamState[] {
    return this.#streams;
  }

  set streams(states: readonly StreamState[]) {
    this.#streams = states;
    this.#broken.clear();
    for (const { name, failure } of states) if (failure !== undefined) this.#broken.add(name);
  }

  /** The error of the broker before the session ended, if any. */
  get failure(): unknown {
    return this.#failure;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Written before it returns: the order of the calls is the order at the broker. */
  publish(message: OutboundMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) throw new TransportUnreachable();
      if (this.#broken.size > 0 && this.#broken.has(this.sending.names.streamFor(message.destination) ?? ''))
        throw new DestinationUnreachable();
      const maxPayload = this.connection.info?.max_payload ?? 0;
      const { body, headers } = packMessage(message, maxPayload, this.sending);
      const token = (this.#sent++).toString(36);
      this.#send(this.sending.names.subjectOf(message.destination), { body, headers }, token);
      this.#unanswered.set(token, { sentAt: performance.now(), resolve, reject });
    });
  }

  async ping(): Promise<void> {
    if (this.#isOver) throw new TransportUnreachable();
    try {
      await withTimeout(pingMs, this.connection.flush());
    } catch (cause) {
      throw new TransportUnreachable(cause);
    }
  }

  /** Does not wait for the broker: a frozen one would keep the socket open. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#watch);
    for (const unanswered of this.#unanswered.values()) unanswered.reject(new TransportUnreachable());
    this.#unanswered.clear();
    this.connection.close().catch(() => undefined);
    this.#end();
  }

  #send(subject: string, { body, headers }: PackedMessage, token: string): void {
    const all = natsHeaders();
    try {
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      this.connection.publish(subject, body, { headers: all, reply: `${this.#inbox}${token}` });
    } catch (cause) {
      if (this.connection.isClosed()) throw new TransportUnreachable(cause);
      throw new Problem('message-refused', { detail: messageOf(cause), cause });
    }
  }

  #answered(message: Msg): void {
    const token = message.subject.slice(this.#inbox.length);
    const unanswered = this.#unanswered.get(token);
    if (unanswered === undefined) return;
    // No stream stores this subject: the streams were deleted, and the next session creates them again.
    if (headersIn(message)?.code === 503) return this.end();
    const answer = answerIn(message.data);
    if (answer === undefined) return;
    this.#unanswered.delete(token);
    const problem = problemIn(answer);
    if (problem === undefined) unanswered.resolve();
    else unanswered.reject(problem);
  }

  async #follow(): Promise<void> {
    for await (const { type, data, permissionContext } of this.connection.status()) {
      if (type === Events.Error && typeof data === 'string')
        this.#failure = { code: data, message: permissionContext?.subject ?? data };
      if (type === Events.Disconnect || type === DebugEvents.StaleConnection) this.end();
    }
  }

  #checkOldest(): void {
    for (const { sentAt } of this.#unanswered.values()) {
      if (performance.now() - sentAt > answerTimeoutMs) this.end();
      return;
    }
  }
}

const text = new TextDecoder();

/** Not an answer of a stream: the real one may still arrive. */
function answerIn(data: Uint8Array): Answer | undefined {
  try {
    const answer = JSON.parse(text.decode(data)) as (Answer & { readonly stream?: unknown }) | null;
    return answer?.stream === undefined && answer?.error === undefined ? undefined : answer;
  } catch {
    return undefined;
  }
}

function problemIn({ error }: Answer): Problem | undefined {
  if (error === undefined) return undefined;
  const detail = error.description ?? `error ${error.err_code ?? error.code}`;
  // Broker failures such as a full disk are temporary; a fault of the message is not.
  if (error.code >= 500 || error.err_code === accountIsFull)
    return new TransportUnreachable(new Problem('message-refused', { detail }));
  const code = error.err_code === largerThanTheStreamAllows ? 'message-too-large' : 'message-refused';
  return new Problem(code, { detail });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
