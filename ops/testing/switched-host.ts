import type { ConsoleSource } from '../console/model/source.js';
import type { Feed, FrameSource } from '../../endpoints/inspection/feed.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { type ShownHost, shownHost } from './shown-host.js';
import { clusterConsole } from '../console/sources/supervised/console-source.js';
import { clusterFrames } from '../supervise/frame-source.js';
import type { FromHost, PeerQuestion, ToHost } from '../supervise/messages.js';
import { Peers } from '../supervise/peers.js';
import { Questions } from '../supervise/questions.js';
import { type Member, Switchboard } from '../supervise/switchboard.js';

const answerWithinMs = 20;
let begun = 0;

/** A supervised host, but for the process: what it and its supervisor say to each other arrives at once. */
export class SwitchedHost implements Member {
  readonly pid = ++begun;
  readonly readyAt = 0;
  readonly isToldToEnd = false;
  isFrozen = false;
  readonly shown: ShownHost;
  readonly feed: Feed;
  readonly peers: Peers;
  readonly frames: FrameSource;
  readonly console: ConsoleSource;
  readonly #questions = new Questions<unknown>(answerWithinMs);

  constructor(
    readonly name: string,
    private readonly board: Switchboard,
  ) {
    const inspection = new Inspection({ host: name, tracesPerSecond: 1_000 });
    this.feed = inspection.feed;
    this.shown = shownHost(name);
    this.peers = new Peers(name, (message, told) => {
      this.#says(message);
      told?.();
    });
    this.frames = clusterFrames(this.feed, this.peers);
    const relay = () => ({ state: 'idle', counts: { published: 1 } });
    this.console = clusterConsole({ host: this.shown, inspection, relay }, this.peers);
    board.join(this);
  }

  tell(message: ToHost, told?: () => void): void {
    // What crosses to another process is a copy.
    if (!this.isFrozen) this.peers.hear(JSON.parse(JSON.stringify(message)) as ToHost);
    told?.();
  }

  ask(question: PeerQuestion): Promise<unknown> {
    return this.#questions.ask((id) => this.tell({ type: 'asked', id, ...question }));
  }

  /** A request that is recorded if somebody looks. */
  bakes(id: string): void {
    this.feed.open(id, 'Bake')?.message('Bake', 'lifecycle', 'lifecycle', 'hello');
  }

  #says(message: FromHost): void {
    const { board } = this;
    if (message.type === 'ask') {
      const { question, args, host, id } = message;
      void board
        .ask(this, host, { question, args })
        .then((answers) => this.tell({ type: 'answers', id, answers }));
    }
    if (message.type === 'answer') this.#questions.answer(message.id, message.value);
    if (message.type === 'interest') board.wants(this, message.interest);
    if (message.type === 'replay-wanted')
      board.replay(this, message.host, message.follower, message.maxBytes);
    if (message.type === 'frames') board.pass(this, message.frames, message.replay);
  }
}

export function switchedHosts<N extends readonly string[]>(...names: N) {
  const board = new Switchboard(() => names);
  const hosts = names.map((name) => new SwitchedHost(name, board)) as {
    readonly [P in keyof N]: SwitchedHost;
  };
  return { board, hosts };
}
