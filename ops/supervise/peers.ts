import type { HostAnswer, HostAnswers } from '../console/model/host-answers.js';
import type { FromHost, Interest, PeerHost, ReplayFor, ToHost, Wanted } from './messages.js';
import { Questions } from './questions.js';

/** Frames of another host; `follower` is who asked for what was before. */
export interface PeerFrames {
  readonly host: string;
  readonly frames: readonly string[];
  readonly missed: number;
  readonly follower?: number;
}

/** What this process does for others. */
export interface PeerService {
  /** Begins, changes or ends what is recorded for them. */
  record(wanted: Wanted): void;
  replay(replay: ReplayFor, maxBytes: number): void;
}

type Wish = readonly [host: string, what: Exclude<Wanted, 'nothing'>];

/** The other hosts of the same supervisor, as one of them sees them. */
export class Peers {
  hosts: readonly PeerHost[];
  answers: HostAnswers | undefined;
  service: PeerService | undefined;
  readonly #questions = new Questions<Readonly<Record<string, unknown>>>();
  readonly #wishes = new Set<Wish>();
  readonly #listeners = new Set<(frames: PeerFrames) => void>();

  constructor(
    readonly name: string,
    readonly tell: (message: FromHost, told?: () => void) => void,
  ) {
    this.hosts = [{ name }];
  }

  get others(): readonly string[] {
    return this.hosts.map(({ name }) => name).filter((name) => name !== this.name);
  }

  /** The answers of all others, or of one, by their names; who does not answer is not among them. */
  async ask<Q extends keyof HostAnswers>(
    host: string | undefined,
    question: Q,
    ...args: Parameters<HostAnswers[Q]>
  ): Promise<ReadonlyMap<string, HostAnswer<Q>>> {
    if (this.others.length === 0) return new Map();
    const of = host === undefined ? {} : { host };
    const answers = await this.#questions.ask((id) => this.tell({ type: 'ask', id, ...of, question, args }));
    return new Map(Object.entries(answers ?? {})) as ReadonlyMap<string, HostAnswer<Q>>;
  }

  /** One other host, or all others, are to record their requests until the function is called. */
  wants(host: string | undefined, what: Wish[1]): () => void {
    const wish: Wish = [host ?? '*', what];
    this.#wishes.add(wish);
    this.#tellInterest();
    return () => {
      if (this.#wishes.delete(wish)) this.#tellInterest();
    };
  }

  onFrames(listener: (frames: PeerFrames) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  hear(message: ToHost): void {
    if (message.type === 'answers') this.#questions.answer(message.id, message.answers);
    if (message.type === 'asked') void this.#answer(message.id, message.question, message.args);
    if (message.type === 'replay') this.service?.replay(message.replay, message.maxBytes);
    if (message.type === 'frames') for (const listener of this.#listeners) listener(message);
    if (message.type === 'peers') {
      this.hosts = message.hosts;
      this.service?.record(message.wanted);
    }
  }

  async #answer(id: number, question: keyof HostAnswers, args: readonly unknown[]): Promise<void> {
    const { answers } = this;
    if (answers === undefined || !Object.hasOwn(answers, question)) return;
    const answer = answers[question] as (...given: readonly unknown[]) => unknown;
    try {
      this.tell({ type: 'answer', id, value: await answer(...args) });
    } catch {
      // Whoever asked shows what others say; our own log has the reason where it matters.
      this.tell({ type: 'answer', id });
    }
  }

  #tellInterest(): void {
    const interest: Record<string, Interest[string]> = {};
    for (const [host, what] of this.#wishes) if (interest[host] !== 'frames') interest[host] = what;
    this.tell({ type: 'interest', interest });
  }
}
