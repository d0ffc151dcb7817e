import type { Worker } from 'node:cluster';
import { Readable } from 'node:stream';
import type { QuarantinedCommand } from '../../actors/commands/quarantined-commands.js';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/logging/log.js';
import type { MetricsSnapshot } from '../../runtime/metrics/metrics.js';
import { type BlockedLoopReport, reportDescriptor, reportReader, reportText } from './blocked-loop-report.js';
import { type FromHost, isFromHost, type PeerQuestion, type ToHost } from './ipc-messages.js';
import { ProcessorWait, sampleOf } from './processor-wait.js';
import { PendingQuestions } from './pending-questions.js';
import { drainTime, HostTime, startTime } from './host-time.js';
import type { RoutedHost, PeerRouter } from './peer-router.js';

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

const lookEveryMs = 250;
/** A host that takes longer to answer its peers is shown as unreachable. */
const answerWithinMs = 1_000;

/** One host process, from its fork to its exit; until it is asked to start, it has only loaded its code. */
export class HostProcess implements RoutedHost {
  readonly ended: Promise<Exit>;
  readyAt: number | undefined;
  heartbeatAt = Date.now();
  memory = 0;
  #name: string | undefined;
  #isLoaded = false;
  #hasEnded = false;
  #draining: Promise<void> | undefined;
  #killedBecause: string | undefined;
  #blocked: BlockedLoopReport | undefined;
  readonly #processorWait = new ProcessorWait(() => sampleOf(this.pid));
  #wasBlocked = false;
  #failureReason: string | undefined;
  readonly #snapshots = new PendingQuestions<MetricsSnapshot>();
  readonly #answers = new PendingQuestions<unknown>(answerWithinMs);
  #resolveReady: (url: string) => void = () => undefined;
  #extendDeadline: () => void = () => undefined;

  constructor(
    private readonly worker: Worker,
    private readonly allMetrics: (host: string | undefined) => Promise<string | undefined>,
    private readonly router: PeerRouter,
    private readonly quarantined: () => readonly QuarantinedCommand[],
    private readonly generatedToken?: string,
  ) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.#hasEnded = true;
        router.leave(this);
        resolve({ code, signal });
      });
    });
    worker.on('message', (message: unknown) => {
      if (isFromHost(message)) this.#receive(message);
    });
    const reports = worker.process.stdio[reportDescriptor];
    if (reports instanceof Readable) {
      reports.on(
        'data',
        reportReader((report) => (this.#blocked = report)),
      );
      reports.on('error', () => undefined);
    }
    // A message to a process that has just died is lost without harm.
    worker.on('error', () => undefined);
  }

  get name(): string {
    return this.#name ?? '';
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** It was killed, even if it has not ended yet. */
  get isKilled(): boolean {
    return this.#killedBecause !== undefined;
  }

  /** Its exit is intended and not a crash. */
  get isEnding(): boolean {
    return this.#draining !== undefined;
  }

  /** Resolves with its address when it is ready. */
  async begin(name: string): Promise<string> {
    const ready = new Promise<string>((resolve) => (this.#resolveReady = resolve));
    this.#name = name;
    this.heartbeatAt = Date.now();
    if (this.#isLoaded) this.#sendBegin(name);
    const time = new HostTime(startTime);
    this.#extendDeadline = () => time.restart();
    const cancel = this.#limit(time, `it was not ready within ${startTime.limitMs / 1000} s`);
    const early = this.ended.then((end) => {
      throw this.exitProblem(end);
    });
    return Promise.race([ready, early]).finally(() => {
      this.#extendDeadline = () => undefined;
      cancel();
    });
  }

  /** Kills it when its time is over; the returned function cancels that. */
  #limit(time: HostTime, because: string): () => void {
    // A wait counts since the last look: the watchdog looks at other moments.
    const processorWait = new ProcessorWait(() => sampleOf(this.pid));
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const elapsedMs = now - last;
      last = now;
      if (time.spend(elapsedMs, processorWait.since(elapsedMs))) this.kill(because);
    }, lookEveryMs);
    return () => clearInterval(timer);
  }

  /** Its metrics; undefined if it does not answer in time. */
  metrics(): Promise<MetricsSnapshot | undefined> {
    return this.#snapshots.ask((id) => this.send({ type: 'snapshot-wanted', id }));
  }

  ask(question: PeerQuestion): Promise<unknown> {
    return this.#answers.ask((id) => this.send({ type: 'asked', id, ...question }));
  }

  send(message: ToHost, sent: () => void = () => undefined): void {
    if (this.worker.isConnected()) this.worker.send(message, sent);
  }

  /** Lets it answer what is in flight; kills it if that takes too long. */
  drain(): Promise<void> {
    return (this.#draining ??= this.#drain());
  }

  /** Silence counts while it runs or sleeps, not while it waits for a processor. */
  excuseSilence(sinceMs: number): void {
    this.heartbeatAt = Math.min(Date.now(), this.heartbeatAt + this.#processorWait.since(sinceMs));
  }

  get isBlockedByCommand(): boolean {
    return this.#blocked?.running !== undefined;
  }

  /** What blocks its event loop is not known yet, but may be soon. */
  get isBeingDiagnosed(): boolean {
    return this.#blocked?.isDiagnosing === true;
  }

  /** Kills it because its event loop is blocked; returns what it was doing, as far as that is known. */
  killBlocked(): BlockedLoopReport | undefined {
    const report = this.#blocked;
    this.#wasBlocked = report !== undefined && (report.running !== undefined || report.inFlight.length > 0);
    this.kill(`its event loop was blocked${report === undefined ? '' : reportText(report)}`);
    return report;
  }

  /** It was lost to a command and not to a fault of its own. */
  get isLostToCommand(): boolean {
    return this.#wasBlocked;
  }

  kill(because: string): void {
    if (this.#hasEnded || this.isKilled) return;
    this.#killedBecause = because;
    // The end of one that is drained is nobody's failure, and not logged.
    if (this.isEnding) log.warn({ host: this.name, pid: this.pid }, `a draining host is killed: ${because}`);
    this.worker.process.kill('SIGKILL');
  }

  /** How it ended, for the log. */
  exitProblem({ code, signal }: Exit): Problem {
    const how = signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`;
    const when = this.readyAt === undefined ? ' before it was ready' : '';
    const why = this.#killedBecause === undefined ? hintOf(signal) : ` because ${this.#killedBecause}`;
    const reason = this.#failureReason === undefined ? '' : `: ${this.#failureReason}`;
    return new Problem('child-failed', { detail: `process ${this.pid} ${how}${when}${why}${reason}` });
  }

  #sendBegin(name: string): void {
    const { generatedToken } = this;
    const token = generatedToken === undefined ? {} : { generatedToken };
    this.send({ type: 'begin', name, quarantined: this.quarantined(), ...token });
  }

  #receive(message: FromHost): void {
    this.heartbeatAt = Date.now();
    this.#blocked = undefined;
    if (message.type === 'heartbeat') this.memory = message.memory;
    if (message.type === 'snapshot') this.#snapshots.answer(message.id, message.metrics);
    if (message.type === 'metrics-wanted') void this.#answerMetrics(message.id, message.host);
    if (message.type === 'answer') this.#answers.answer(message.id, message.value);
    if (message.type === 'ask') void this.#answerPeers(message.id, message.host, message);
    if (message.type === 'interest') this.router.setInterest(this, message.interest);
    if (message.type === 'replay-wanted')
      this.router.replay(this, message.host, message.follower, message.maxBytes);
    if (message.type === 'frames') this.router.forwardFrames(this, message.frames, message.replay);
    if (message.type === 'failed') this.#failureReason = message.reason;
    if (message.type === 'loaded') {
      this.#isLoaded = true;
      if (this.#name !== undefined) this.#sendBegin(this.#name);
    }
    if (message.type === 'migrating') this.#extendDeadline();
    if (message.type === 'ready') {
      this.readyAt = Date.now();
      this.router.join(this);
      this.#resolveReady(message.url);
    }
  }

  async #answerMetrics(id: number, host: string | undefined): Promise<void> {
    const text = await this.allMetrics(host);
    this.send({ type: 'metrics', id, ...(text === undefined ? {} : { text }) });
  }

  async #answerPeers(id: number, host: string | undefined, asked: PeerQuestion): Promise<void> {
    const { question, args } = asked;
    const answers = await this.router.ask(this, host, { question, args });
    this.send({ type: 'answers', id, answers });
  }

  async #drain(): Promise<void> {
    this.worker.process.kill('SIGTERM');
    const cancel = this.#limit(new HostTime(drainTime), 'it did not drain in time');
    await this.ended;
    cancel();
  }
}

/** A full heap ends Node.js by either signal, depending on what was being allocated. */
const signalsOfFullHeap: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP'];

/** What Node.js prints about a full heap is long; this line goes to the log. */
const hintOf = (signal: string | null): string =>
  signalsOfFullHeap.includes(signal)
    ? ', usually because its heap was full; raise it with NODE_OPTIONS=--max-old-space-size=…, or set --max-memory below it'
    : '';
