import type { HostAnswer, HostAnswers } from '../console/model/host-answers.js';
import type { FromHost, Interest, PeerHost, ReplayTarget, ToHost, RecordingLevel } from './ipc-messages.js';
import { PendingQuestions } from './pending-questions.js';

/** Frames of another host; `follower` is the host that requested earlier frames. */
export interface PeerFrames {
  readonly host: string;
  readonly frames: readonly string[];
  readonly missed: number;
  readonly follower?: number;
}

/** What this process does for its peers. */
export interface PeerRecorder {
  /** Starts, changes or ends recording for them. */
  record(wanted: RecordingLevel): void;
  replay(replay: ReplayTarget, maxBytes: number): void;
}

type RecordingRequest = readonly [host: string, what: Exclude<RecordingLevel, 'nothing'>];

/** The peers of a host: the other hosts of the same supervisor. */
export class Peers {
  hosts: readonly PeerHost[];
  answers: HostAnswers | undefined;
  recorder: PeerRecorder | undefined;
  readonly #questions = new PendingQuestions<Readonly<Record<string, unknown>>>();
  readonly #recordingRequests = new Set<RecordingRequest>();
  readonly #listeners = new Set<(frames: PeerFrames) => void>();

  constructor(
    readonly name: string,
    readonly send: (message: FromHost, sent?: () => void) => void,
  ) {
    this.hosts = [{ name }];
  }

  get others(): readonly string[] {
    return this.hosts.map(({ name }) => name).filter((name) => name !== this.name);
  }

  /** The answers of all others, or of one, by name; without those that do not answer. */
  async ask<Q extends keyof HostAnswers>(
    host: string | undefined,
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<ReadonlyMap<string, HostAnswer<Q>>> {
    if (this.others.length === 0) return new Map();
    const of = host === undefined ? {} : { host };
    const answers = await this.#questions.ask((id) => this.send({ type: 'ask', id, ...of, question, args }));
    return new Map(Object.entries(answers ?? {})) as ReadonlyMap<string, HostAnswer<Q>>;
  }

  /** Makes one other host, or all others, record their requests until the returned function is called. */
  requestRecording(host: string | undefined, level: RecordingRequest[1]): () => void {
    const request: RecordingRequest = [host ?? '*', level];
    this.#recordingRequests.add(request);
    this.#sendInterest();
    return () => {
      if (this.#recordingRequests.delete(request)) this.#sendInterest();
    };
  }

  onFrames(listener: (frames: PeerFrames) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  receive(message: ToHost): void {
    if (message.type === 'answers') this.#questions.answer(message.id, message.answers);
    if (message.type === 'asked') void this.#answer(message.id, message.question, message.args);
    if (message.type === 'replay') this.recorder?.replay(message.replay, message.maxBytes);
    if (message.type === 'frames') for (const listener of this.#listeners) listener(message);
    if (message.type === 'peers') {
      this.hosts = message.hosts;
      this.recorder?.record(message.wanted);
    }
  }

  async #answer(id: number, question: keyof HostAnswers, args: readonly unknown[]): Promise<void> {
    const { answers } = this;
    if (answers === undefined || !Object.hasOwn(answers, question)) return;
    const answer = answers[question] as (...given: readonly unknown[]) => unknown;
    try {
      this.send({ type: 'answer', id, value: await answer(...args) });
    } catch {
      // The asking host shows that no answer came; the reason is in the log of this one.
      this.send({ type: 'answer', id });
    }
  }

  #sendInterest(): void {
    const interest: Record<string, Interest[string]> = {};
    for (const [host, what] of this.#recordingRequests)
      if (interest[host] !== 'frames') interest[host] = what;
    this.send({ type: 'interest', interest });
  }
}
