import type { Feed, FrameListener, FrameSource } from '../../endpoints/inspection/feed.js';
import { FrameLine } from './frame-line.js';
import type { ReplayFor, Wanted } from './messages.js';
import type { PeerFrames, Peers, PeerService } from './peers.js';

const replayWithinMs = 1_000;

/** The frames of all hosts of a supervisor; others record theirs only while somebody is attached here. */
export function clusterFrames(feed: Feed, peers: Peers): FrameSource {
  let followers = 0;
  peers.service = recordingFor(feed, peers);
  const followOthers = (host: string | undefined, listener: FrameListener, maxBytes: number) => {
    const follower = ++followers;
    const others = follow(follower, host, listener);
    const leave = [
      peers.onFrames((told) => {
        feed.missed(told.missed);
        others(told);
      }),
      peers.wants(host, 'frames'),
    ];
    const of = host === undefined ? {} : { host };
    peers.tell({ type: 'replay-wanted', ...of, follower, maxBytes });
    return leave;
  };
  return {
    has: (host) => peers.hosts.some(({ name }) => name === host),
    follow: (host, listener, replayBytes) => {
      const share = replayBytes / peers.hosts.length;
      const leave: (() => void)[] = [];
      if (host === undefined || host === peers.name) leave.push(feed.follow(host, listener, share));
      if (host !== peers.name) leave.push(...followOthers(host, listener, share));
      return () => {
        for (const go of leave) go();
      };
    },
    missed: (frames) => feed.missed(frames),
  };
}

/** What a host recorded before comes first: what it tells meanwhile is part of that. */
function follow(follower: number, host: string | undefined, listener: FrameListener) {
  const begun = new Set<string>();
  const since = performance.now();
  return (told: PeerFrames): void => {
    if (host !== undefined && told.host !== host) return;
    if (told.follower !== undefined && told.follower !== follower) return;
    if (told.follower === follower) begun.add(told.host);
    else if (!begun.has(told.host) && performance.now() - since < replayWithinMs) return;
    for (const frame of told.frames) listener(frame);
  };
}

const flushMs = 50;

/** Records for others, and sends them what they want, a few times a second. */
function recordingFor(feed: Feed, peers: Peers): PeerService {
  const line = new FrameLine();
  let recorded: Wanted = 'nothing';
  let detach = (): void => undefined;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const send = (frames: readonly string[], replay?: ReplayFor): void => {
    const message = { type: 'frames', frames, ...(replay === undefined ? {} : { replay }) } as const;
    line.send(frames, (sent) => peers.tell(message, sent));
    feed.missed(line.takeMissed());
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const frames = waiting;
    waiting = [];
    if (frames.length > 0) send(frames);
  };
  const keep: FrameListener = (frame) => {
    waiting.push(frame);
    timer ??= setTimeout(flush, flushMs);
  };
  return {
    record: (wanted) => {
      if (wanted === recorded) return;
      recorded = wanted;
      detach();
      detach = wanted === 'nothing' ? () => undefined : feed.attach(wanted === 'frames' ? keep : nobody);
    },
    replay: (replay, maxBytes) => {
      flush();
      send(feed.replay(maxBytes), replay);
    },
  };
}

const nobody = (): void => undefined;
