import { Lease } from '../follow/lease.js';
import type { RunEnd } from '../follow/follower-machine.js';
import { type RelayProgress, RelayRound, type RoundSettings, noProgress } from '../outbox/relay-round.js';
import { LeaseLength } from '../../runtime/leases/lease-length.js';
import { RelayPublisher } from '../outbox/relay-publisher.js';
import {
  everything,
  InMemoryOutbox,
  type RecordingTransport,
} from '../../runtime/testing/in-memory-outbox.js';

const retries = { maxAttempts: 3, firstRetryMs: 1, maxRetryMs: 2 };

interface Scene {
  readonly transport: RecordingTransport;
  readonly progress?: RelayProgress;
  readonly leaseMs?: number;
  readonly settings?: Partial<RoundSettings>;
  readonly signal?: AbortSignal;
}

/** One round of a relay over a log in memory. */
export function roundOver(
  log: InMemoryOutbox,
  { transport, progress = noProgress(), leaseMs = 3_600_000, settings, signal }: Scene,
): Promise<RunEnd> {
  const outbox = log.heldBy('us');
  const counts = { published: 0, filtered: 0, refused: 0, deadLettered: 0 };
  const ports = { outbox, transport, filter: everything, report: () => undefined };
  const sender = new RelayPublisher(ports, retries, counts);
  const round = { pageSize: 10, inFlight: 8, perStream: 4, ...settings };
  return new RelayRound(
    outbox,
    new Lease(outbox, new LeaseLength(leaseMs)),
    sender,
    round,
    progress,
    signal ?? new AbortController().signal,
  ).run();
}

/** One message for each letter, which names its stream. */
export function logOf(streams: string): InMemoryOutbox {
  const log = new InMemoryOutbox();
  for (const stream of streams) log.append(stream);
  return log;
}

export const turnOfTheLoop = (): Promise<void> => new Promise(setImmediate);
