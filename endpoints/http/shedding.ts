import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/logging/log.js';
import { Several } from '../../runtime/lang/several.js';
import { withoutToken } from './redact-url-credentials.js';
import { problemBody, problemHeaders } from '../problem.js';
import { correlationOf } from './correlation.js';
import { Admission } from './admission.js';
import { isHostPage } from './answered-request.js';
import {
  afterLoopSample,
  afterSample,
  uncrowdedLimit,
  idleLoop,
  isOverloaded,
  rememberedMs,
  sampleEveryMs,
  type RouteLoad,
  unloaded,
} from './load-estimate.js';

/** The rest of a limit is for senders that come seldom, while there are several. */
const ofLimit = 0.75;
/** So many requests between two samples are few. */
const few = 2;

/** Counts the requests in flight on one route, against its limit. */
export class RouteLimit {
  inFlight = 0;
  load: RouteLoad = unloaded;
  #since = nothing();
  readonly #several = new Several();
  /** By sender, since the last sample. */
  #admitted = new Map<string, number>();

  /** Lets a request of a sender in, or not. */
  admits(senderOf: () => string | undefined): boolean {
    const { limit } = this.load;
    if (limit === Number.POSITIVE_INFINITY) return true;
    const sender = senderOf() ?? '';
    this.#several.seen(sender);
    const admitted = this.#admitted.get(sender) ?? 0;
    const isLoud = admitted >= few && this.#several.isNow;
    if (this.inFlight >= (isLoud ? limit * ofLimit : limit)) return false;
    this.#admitted.set(sender, admitted + 1);
    return true;
  }

  /** Returns the time, for `leave`. */
  enter(): number {
    this.inFlight++;
    return performance.now();
  }

  /** Excludes the time that a client asked to wait after its command was answered. */
  leave(enteredAt: number, worked: boolean, answeredAt: number = performance.now()): void {
    const tookMs = answeredAt - enteredAt;
    const since = this.#since;
    this.inFlight--;
    since.completed++;
    since.latencyMs += tookMs;
    if (!worked) return;
    since.worked++;
    since.workedMs += tookMs;
  }

  refused(): void {
    this.#since.refused++;
  }

  /** Returns whether a request was there since the last sample. */
  sample(elapsedMs: number, connections: number): boolean {
    const { inFlight } = this;
    const since = this.#since;
    this.#since = nothing();
    if (this.#admitted.size > 0) this.#admitted = new Map();
    this.load = afterSample(this.load, { ...since, inFlight, elapsedMs, connections });
    return since.completed > 0 || inFlight > 0;
  }
}

const nothing = () => ({ completed: 0, latencyMs: 0, worked: 0, workedMs: 0, refused: 0 });

type RouteGuard = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Monitoring must work most of all when the host is busy. */
const isNeverShed = ({ url, routeOptions }: FastifyRequest): boolean =>
  isHostPage(url) || routeOptions.config.isProbe === true;

const isForAgents = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.isForAgents === true;

/** Refuses early and cheaply what could only be answered late. */
export class Shedding {
  readonly #limits: RouteLimit[] = [];
  readonly #admission: Admission;
  #loop = idleLoop;
  #overloaded = false;
  #accepted = 0;
  #shed = 0;
  #refusedAt = -Infinity;
  #servedAt = -Infinity;
  #logged = { at: 0, shed: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connections: { readonly size: number },
    /** Who sends a request, before that is verified. */
    private readonly senderOf: (request: FastifyRequest) => string | undefined = () => undefined,
  ) {
    this.#admission = new Admission(() => connections.size > uncrowdedLimit);
  }

  get shed(): number {
    return this.#shed;
  }

  /** Whether a request was refused lately. */
  get isShedding(): boolean {
    return performance.now() - this.#refusedAt < sheddingMs;
  }

  /** Whether there were requests lately. */
  get isServing(): boolean {
    return performance.now() - this.#servedAt < sheddingMs;
  }

  routeLimit(): RouteLimit {
    const routeLimit = new RouteLimit();
    this.#limits.push(routeLimit);
    return routeLimit;
  }

  /** Serves a request now, later, or not at all; senders who wait take turns. */
  admit(request: FastifyRequest, reply: FastifyReply, serve: () => void): void {
    if ((!this.#overloaded && this.#admission.size === 0) || isNeverShed(request)) return serve();
    const waiting = {
      serve: () => (request.raw.destroyed ? this.refuse(request, reply) : serve()),
      refuse: () => this.refuse(request, reply),
    };
    this.#admission.take(waiting, this.senderOf(request));
  }

  accepted(): void {
    this.#accepted++;
    if (this.#overloaded) this.#admission.accepted();
  }

  /** Refuses before the body is read, when the route is full, or one that yields when the host has refused others. */
  guard(routeLimit: RouteLimit, yields = false): RouteGuard {
    return (request, reply, done) => {
      const isAdmitted = routeLimit.admits(() => this.senderOf(request));
      if (isAdmitted && !(yields && this.isShedding)) return done();
      if (!isAdmitted) routeLimit.refused();
      this.refuse(request, reply);
    };
  }

  /** Does not log each refusal: that would cost more than it saves. */
  refuse(request: FastifyRequest, reply: FastifyReply): void {
    this.#shed++;
    // Otherwise agents that ask again and again would keep themselves out.
    if (!isForAgents(request)) this.#refusedAt = performance.now();
    const correlation = correlationOf(request);
    const { correlationId, traceparent } = correlation;
    const { status } = overloaded;
    const answered = { request, correlation, status, seconds: 0, problem: overloaded, isRecorded: false };
    request.server.observer?.left(answered);
    reply
      .code(status)
      .headers({ ...overloadedHeaders, 'x-correlation-id': correlationId, traceparent })
      .send(problemBody(overloaded, withoutToken(request.url), correlationId));
  }

  start(): void {
    let last = performance.now();
    let before = performance.eventLoopUtilization();
    const sample = (): void => {
      const now = performance.now();
      const elapsedMs = now - last;
      const loop = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(loop, before);
      last = now;
      before = loop;
      const { size: connections } = this.connections;
      const [lateMs, accepted] = [elapsedMs - sampleEveryMs, this.#accepted];
      const waitedMs = this.#admission.longestWait();
      this.#accepted = 0;
      this.#loop = afterLoopSample(this.#loop, { utilization, lateMs, waitedMs, accepted });
      this.#overloaded = isOverloaded(this.#loop);
      for (const routeLimit of this.#limits)
        if (routeLimit.sample(elapsedMs, connections)) this.#servedAt = now;
      this.#logShed(now);
    };
    this.#timer = setInterval(sample, sampleEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #logShed(now: number): void {
    const refused = this.#shed - this.#logged.shed;
    if (refused === 0 || now - this.#logged.at < rememberedMs) return;
    log.warn({ refused }, 'the host is overloaded and refuses some requests');
    this.#logged = { at: now, shed: this.#shed };
  }
}

/** Long enough that the load has been estimated several times without a refusal. */
const sheddingMs = 10 * sampleEveryMs;
/** By then the load has been estimated again. */
const retryAfter = Math.ceil(sampleEveryMs / 1_000);
const overloaded = new Problem('overloaded', { detail: 'Retry soon.', retryAfter });
const overloadedHeaders = problemHeaders(overloaded);
