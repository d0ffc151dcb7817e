import type { FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { networkOf, TrustedProxies } from '../access/trusted-proxies.js';
import { LiveStream } from './live-stream.js';
import { Recheck, type Rechecked } from './recheck.js';
import type { StreamFormat } from './stream-format.js';

interface LiveLimits {
  /** On this host; one caller may have a fifth of them. */
  readonly watchers: number;
  /** What one client may leave unread. */
  readonly queuedBytes: number;
  readonly heartbeatMs: number;
  readonly recheckMs: number;
}

const defaults: LiveLimits = {
  watchers: 5_000,
  queuedBytes: 262_144,
  heartbeatMs: 15_000,
  recheckMs: 10_000,
};

interface Open {
  readonly stream: LiveStream;
  readonly rechecked: Rechecked;
}

/** The open streams of a host: counted, kept alive, and ended when their callers may no longer watch. */
export class LiveStreams {
  readonly #open = new Set<Open>();
  readonly #byCaller = new Map<string, number>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #recheck: Recheck;
  readonly #limits: LiveLimits;
  #isClosed = false;
  #unsubscribe: (() => void) | undefined;

  constructor(
    limits: Partial<LiveLimits> = {},
    private readonly proxies = new TrustedProxies(),
    /** Calls back when roles or keys have changed; returns how to stop. */
    private readonly onAccessChange: (changed: () => void) => () => void = () => () => undefined,
  ) {
    this.#limits = { ...defaults, ...limits };
    this.#recheck = new Recheck(() => Array.from(this.#open, ({ rechecked }) => rechecked));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws when there are too many. */
  open(
    request: FastifyRequest,
    raw: ServerResponse,
    recheck: Rechecked['check'],
    format?: StreamFormat,
  ): LiveStream {
    const caller = this.callerOf(request);
    this.#mustHaveRoom(caller);
    const stream = new LiveStream(raw, this.#limits.queuedBytes, format);
    const open = { stream, rechecked: { request, check: recheck, end: () => stream.close('permission') } };
    this.#open.add(open);
    this.#count(caller, 1);
    raw.once('close', () => {
      this.#open.delete(open);
      this.#count(caller, -1);
    });
    this.#startTimers();
    return stream;
  }

  /** Who watches: an identity, or an address without one. */
  callerOf(request: FastifyRequest): string {
    const identity: Identity | undefined = request.identity;
    if (identity === undefined) return `address ${networkOf(this.proxies.addressOf(request))}`;
    const { source, scope } = identity;
    return JSON.stringify([source, scope.tenantId, scope.userId]);
  }

  /** Every client continues on another host. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#unsubscribe?.();
    for (const { stream } of this.#open) stream.close('draining');
  }

  #mustHaveRoom(caller: string): void {
    if (this.#isClosed) throw new Problem('draining');
    if (this.#open.size >= this.#limits.watchers)
      throw new Problem('overloaded', {
        detail: 'Too many clients are watching this host; try again later.',
        retryAfter: 10,
      });
    const perCaller = Math.ceil(this.#limits.watchers / 5);
    if ((this.#byCaller.get(caller) ?? 0) >= perCaller)
      throw new Problem('rate-limited', {
        detail: `You have ${perCaller} live streams open; close one of them.`,
        retryAfter: 10,
      });
  }

  #count(caller: string, by: 1 | -1): void {
    const count = (this.#byCaller.get(caller) ?? 0) + by;
    if (count === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, count);
  }

  #startTimers(): void {
    if (this.#timers.length > 0) return;
    this.#unsubscribe = this.onAccessChange(() => this.#recheck.soon());
    const every = (ms: number, task: () => void) => this.#timers.push(setInterval(task, ms).unref());
    every(this.#limits.heartbeatMs, () => {
      for (const { stream } of this.#open) stream.heartbeat();
    });
    every(this.#limits.recheckMs, () => this.#recheck.now());
  }
}
