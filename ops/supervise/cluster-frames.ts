import type {
  InspectionFeed,
  FrameListener,
  FrameSource,
} from '../../endpoints/inspection/inspection-feed.js';
import { FrameSender } from './frame-sender.js';
import type { ReplayTarget, RecordingLevel } from './ipc-messages.js';
import type { PeerFrames, Peers, PeerRecorder } from './peers.js';

const replayWithinMs = 1_000;

/** The frames of all hosts of a supervisor; the others record theirs only while an inspector is attached here. */
export function clusterFrames(feed: InspectionFeed, peers: Peers): FrameSource {
  let followers = 0;
  peers.recorder = recorderFor(feed, peers);
  const followOthers = (host: string | undefined, listener: FrameListener, maxBytes: number) => {
    const follower = ++followers;
    const others = replayThenFollow(follower, host, listener);
    const leave = [
      peers.onFrames((message) => {
        feed.missed(message.missed);
        others(message);
      }),
      peers.requestRecording(host, 'frames'),
    ];
    const of = host === undefined ? {} : { host };
    peers.send({ type: 'replay-wanted', ...of, follower, maxBytes });
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

/** Earlier frames of a host come first: frames sent meanwhile are already among them. */
function replayThenFollow(follower: number, host: string | undefined, listener: FrameListener) {
  const begun = new Set<string>();
  const since = performance.now();
  return (message: PeerFrames): void => {
    if (host !== undefined && message.host !== host) return;
    if (message.follower !== undefined && message.follower !== follower) return;
    if (message.follower === follower) begun.add(message.host);
    else if (!begun.has(message.host) && performance.now() - since < replayWithinMs) return;
    for (const frame of message.frames) listener(frame);
  };
}

const flushMs = 50;

/** Records frames for other hosts and sends them a few times a second. */
function recorderFor(feed: InspectionFeed, peers: Peers): PeerRecorder {
  const sender = new FrameSender();
  let recorded: RecordingLevel = 'nothing';
  let detach = (): void => undefined;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const send = (frames: readonly string[], replay?: ReplayTarget): void => {
    const message = { type: 'frames', frames, ...(replay === undefined ? {} : { replay }) } as const;
    sender.send(frames, (sent) => peers.send(message, sent));
    feed.missed(sender.takeMissed());
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
      detach = wanted === 'nothing' ? () => undefined : feed.attach(wanted === 'frames' ? keep : ignoreFrame);
    },
    replay: (replay, maxBytes) => {
      flush();
      send(feed.replay(maxBytes), replay);
    },
  };
}

const ignoreFrame = (): void => undefined;
