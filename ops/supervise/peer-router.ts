import { FrameSender } from './frame-sender.js';
import type {
  Interest,
  PeerHost,
  PeerQuestion,
  ReplayTarget,
  ToHost,
  RecordingLevel,
} from './ipc-messages.js';

/** A host process that takes part. */
export interface RoutedHost {
  readonly name: string;
  readonly pid: number;
  readonly readyAt: number | undefined;
  /** It is about to exit: another process answers for it. */
  readonly isEnding: boolean;
  send(message: ToHost, onSent?: () => void): void;
  /** Undefined if it does not answer in time. */
  ask(question: PeerQuestion): Promise<unknown>;
}

interface RoutedConnection {
  readonly frameSender: FrameSender;
  interest: Interest;
  /** The last message about its peers. */
  lastSent: string;
}

/**
 * Connects the hosts of a supervisor: routes questions and frames between them, and sends only what a host requested.
 */
export class PeerRouter {
  readonly #connections = new Map<RoutedHost, RoutedConnection>();

  constructor(private readonly names: () => readonly string[]) {}

  join(member: RoutedHost): void {
    this.#connections.set(member, { frameSender: new FrameSender(), interest: {}, lastSent: '' });
    this.#sendPeers();
  }

  leave(member: RoutedHost): void {
    if (this.#connections.delete(member)) this.#sendPeers();
  }

  /** A host was added or is about to leave. */
  namesChanged(): void {
    this.#sendPeers();
  }

  /** The answers of one other host or of all others, by name. */
  async ask(
    from: RoutedHost,
    host: string | undefined,
    question: PeerQuestion,
  ): Promise<Record<string, unknown>> {
    const asked = this.#others(from, host).filter(({ isEnding }) => !isEnding);
    const answers = await Promise.all(
      asked.map(async (member) => [member.name, await member.ask(question)] as const),
    );
    return Object.fromEntries(answers.filter(([, answer]) => answer !== undefined));
  }

  setInterest(from: RoutedHost, interest: Interest): void {
    const connection = this.#connections.get(from);
    if (connection === undefined) return;
    connection.interest = interest;
    this.#sendPeers();
  }

  replay(from: RoutedHost, host: string | undefined, follower: number, maxBytes: number): void {
    const replay = { pid: from.pid, follower };
    for (const member of this.#others(from, host)) member.send({ type: 'replay', replay, maxBytes });
  }

  /** To every host that wants them, or to the one that just attached. */
  forwardFrames(from: RoutedHost, frames: readonly string[], replay?: ReplayTarget): void {
    for (const [member, { interest, frameSender: sender }] of this.#connections) {
      if (member === from || recordingLevelIn(interest, from.name) !== 'frames') continue;
      if (replay !== undefined && replay.pid !== member.pid) continue;
      const follower = replay === undefined ? {} : { follower: replay.follower };
      sender.send(frames, (sent) => {
        const message = { type: 'frames', host: from.name, frames, missed: sender.takeMissed() } as const;
        member.send({ ...message, ...follower }, sent);
      });
    }
  }

  #others(from: RoutedHost, host: string | undefined): readonly RoutedHost[] {
    return [...this.#connections.keys()].filter(
      (member) => member.name !== from.name && (host === undefined || member.name === host),
    );
  }

  #sendPeers(): void {
    const members = [...this.#connections.keys()];
    const hosts = this.names().map((name) => peerHost(name, members));
    for (const [member, connection] of this.#connections) {
      const message = { type: 'peers', hosts, wanted: this.#recordingLevelOf(member) } as const;
      const text = JSON.stringify(message);
      if (text === connection.lastSent) continue;
      connection.lastSent = text;
      member.send(message);
    }
  }

  #recordingLevelOf(member: RoutedHost): RecordingLevel {
    const levels = [...this.#connections].flatMap(([other, { interest }]) =>
      other === member ? [] : recordingLevelIn(interest, member.name),
    );
    return levels.includes('frames') ? 'frames' : levels.includes('traces') ? 'traces' : 'nothing';
  }
}

const recordingLevelIn = (interest: Interest, name: string): RecordingLevel => {
  const levels = [interest[name], interest['*']];
  return levels.includes('frames') ? 'frames' : (levels.find((level) => level !== undefined) ?? 'nothing');
};

function peerHost(name: string, members: readonly RoutedHost[]): PeerHost {
  const readyAt = members.findLast((member) => member.name === name && !member.isEnding)?.readyAt;
  return readyAt === undefined ? { name } : { name, readyAt: new Date(readyAt).toISOString() };
}
