import { FrameLine } from './frame-line.js';
import type { Interest, PeerHost, PeerQuestion, ReplayFor, ToHost, Wanted } from './messages.js';

/** A host process that takes part. */
export interface Member {
  readonly name: string;
  readonly pid: number;
  readonly readyAt: number | undefined;
  /** It is about to end: another one answers for it. */
  readonly isToldToEnd: boolean;
  tell(message: ToHost, told?: () => void): void;
  /** Undefined when it does not answer in time. */
  ask(question: PeerQuestion): Promise<unknown>;
}

interface Line {
  readonly frames: FrameLine;
  interest: Interest;
  /** The last news of its peers. */
  told: string;
}

/** Connects the hosts of a supervisor: questions and frames go from one to others; what nobody wants is not sent. */
export class Switchboard {
  readonly #lines = new Map<Member, Line>();

  constructor(private readonly names: () => readonly string[]) {}

  join(member: Member): void {
    this.#lines.set(member, { frames: new FrameLine(), interest: {}, told: '' });
    this.#tellPeers();
  }

  leave(member: Member): void {
    if (this.#lines.delete(member)) this.#tellPeers();
  }

  /** The answers of one other host or of all others, by name. */
  async ask(
    from: Member,
    host: string | undefined,
    question: PeerQuestion,
  ): Promise<Record<string, unknown>> {
    const asked = this.#others(from, host).filter(({ isToldToEnd }) => !isToldToEnd);
    const answers = await Promise.all(
      asked.map(async (member) => [member.name, await member.ask(question)] as const),
    );
    return Object.fromEntries(answers.filter(([, answer]) => answer !== undefined));
  }

  wants(from: Member, interest: Interest): void {
    const line = this.#lines.get(from);
    if (line === undefined) return;
    line.interest = interest;
    this.#tellPeers();
  }

  replay(from: Member, host: string | undefined, follower: number, maxBytes: number): void {
    const replay = { pid: from.pid, follower };
    for (const member of this.#others(from, host)) member.tell({ type: 'replay', replay, maxBytes });
  }

  /** To everybody who wants them, or to the one who just came. */
  pass(from: Member, frames: readonly string[], replay?: ReplayFor): void {
    for (const [member, { interest, frames: line }] of this.#lines) {
      if (member === from || wantedIn(interest, from.name) !== 'frames') continue;
      if (replay !== undefined && replay.pid !== member.pid) continue;
      const follower = replay === undefined ? {} : { follower: replay.follower };
      line.send(frames, (sent) => {
        const message = { type: 'frames', host: from.name, frames, missed: line.takeMissed() } as const;
        member.tell({ ...message, ...follower }, sent);
      });
    }
  }

  #others(from: Member, host: string | undefined): readonly Member[] {
    return [...this.#lines.keys()].filter(
      (member) => member.name !== from.name && (host === undefined || member.name === host),
    );
  }

  #tellPeers(): void {
    const members = [...this.#lines.keys()];
    const hosts = this.names().map((name) => peerHost(name, members));
    for (const [member, line] of this.#lines) {
      const news = { type: 'peers', hosts, wanted: this.#wantedOf(member) } as const;
      const told = JSON.stringify(news);
      if (told === line.told) continue;
      line.told = told;
      member.tell(news);
    }
  }

  #wantedOf(member: Member): Wanted {
    const wishes = [...this.#lines].flatMap(([other, { interest }]) =>
      other === member ? [] : wantedIn(interest, member.name),
    );
    return wishes.includes('frames') ? 'frames' : wishes.includes('traces') ? 'traces' : 'nothing';
  }
}

const wantedIn = (interest: Interest, name: string): Wanted => {
  const wishes = [interest[name], interest['*']];
  return wishes.includes('frames') ? 'frames' : (wishes.find((wish) => wish !== undefined) ?? 'nothing');
};

function peerHost(name: string, members: readonly Member[]): PeerHost {
  const readyAt = members.findLast((member) => member.name === name && !member.isToldToEnd)?.readyAt;
  return readyAt === undefined ? { name } : { name, readyAt: new Date(readyAt).toISOString() };
}
