import type { ConsoleSource } from '../console/model/console-source.js';
import type { InspectionFeed, FrameSource } from '../../endpoints/inspection/inspection-feed.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { type ScriptedHost, scriptedHost } from './scripted-host.js';
import { clusterConsole } from '../console/sources/supervised/cluster-console.js';
import { clusterFrames } from '../supervise/cluster-frames.js';
import type { FromHost, PeerQuestion, ToHost } from '../supervise/ipc-messages.js';
import { Peers } from '../supervise/peers.js';
import { PendingQuestions } from '../supervise/pending-questions.js';
import { type RoutedHost, PeerRouter } from '../supervise/peer-router.js';

const answerWithinMs = 20;
let begun = 0;

/** A supervised host without its process: its messages and the supervisor's arrive at once. */
export class InProcessPeer implements RoutedHost {
  readonly pid = ++begun;
  readonly readyAt = 0;
  readonly isEnding = false;
  isFrozen = false;
  readonly scripted: ScriptedHost;
  readonly feed: InspectionFeed;
  readonly peers: Peers;
  readonly frames: FrameSource;
  readonly console: ConsoleSource;
  readonly #questions = new PendingQuestions<unknown>(answerWithinMs);

  constructor(
    readonly name: string,
    private readonly router: PeerRouter,
  ) {
    const inspection = new Inspection({ host: name, tracesPerSecond: 1_000 });
    this.feed = inspection.feed;
    this.scripted = scriptedHost(name);
    this.peers = new Peers(name, (message, sent) => {
      this.#receive(message);
      sent?.();
    });
    this.frames = clusterFrames(this.feed, this.peers);
    const relay = () => ({ state: 'idle', counts: { published: 1 } });
    this.console = clusterConsole({ host: this.scripted, inspection, relay }, this.peers);
    router.join(this);
  }

  send(message: ToHost, sent?: () => void): void {
    // A message to another process is a copy.
    if (!this.isFrozen) this.peers.receive(JSON.parse(JSON.stringify(message)) as ToHost);
    sent?.();
  }

  ask(question: PeerQuestion): Promise<unknown> {
    return this.#questions.ask((id) => this.send({ type: 'asked', id, ...question }));
  }

  /** A request that is recorded while it is watched. */
  recordRequest(id: string): void {
    this.feed.open(id, 'Bake')?.message('Bake', 'lifecycle', 'lifecycle', 'hello');
  }

  #receive(message: FromHost): void {
    const { router: board } = this;
    if (message.type === 'ask') {
      const { question, args, host, id } = message;
      void board
        .ask(this, host, { question, args })
        .then((answers) => this.send({ type: 'answers', id, answers }));
    }
    if (message.type === 'answer') this.#questions.answer(message.id, message.value);
    if (message.type === 'interest') board.setInterest(this, message.interest);
    if (message.type === 'replay-wanted')
      board.replay(this, message.host, message.follower, message.maxBytes);
    if (message.type === 'frames') board.forwardFrames(this, message.frames, message.replay);
  }
}

export function inProcessPeers<N extends readonly string[]>(...names: N) {
  const board = new PeerRouter(() => names);
  const hosts = names.map((name) => new InProcessPeer(name, board)) as {
    readonly [P in keyof N]: InProcessPeer;
  };
  return { board, hosts };
}
