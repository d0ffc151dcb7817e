import type { Limit } from './limit.js';

/** What a store keeps of messages, of other stores and of their signed heads. */
export const messageLimits: readonly Limit[] = [
  [
    'message to the broker',
    '512 KiB, or what the broker accepts',
    '',
    'runtime/transport/pack-nats-message.ts',
    'largestBody = 512 * 1024',
  ],
  [
    'dead letters that wait',
    '10,000; then nothing more is received',
    'replay or discard some',
    'runtime/schema/270-inbox-dead-letters.sql',
    'SELECT 10000 - count(*) INTO room',
  ],
  [
    'dead letters that are forged or unreadable',
    '1,000 of each store and reason, 5,000 in all; further ones are only counted',
    'replay or discard some',
    'runtime/schema/270-inbox-dead-letters.sql',
    'alike >= 1000',
  ],
  [
    'dead letters that were settled',
    'kept for 30 days',
    '',
    'runtime/schema/080-commit.sql',
    "resolved_at < clock_timestamp() - interval '30 days'",
  ],
  [
    'signed heads that are kept of another store',
    'the first and the last of an hour; after 30 days, the last of a day',
    '',
    'runtime/schema/260-signed-heads.sql',
    "received_at < t.hour - interval '30 days'",
  ],
  [
    'signed heads that `svc audit verify` reads at the broker',
    '2,000,000, the oldest first',
    '',
    'runtime/transport/nats-held-messages.ts',
    'maxMessages = 2_000_000',
  ],
  [
    'unknown stores',
    '1,000, then 20 an hour',
    '',
    'runtime/schema/210-inbox.sql',
    ">= 1000 AND (SELECT first_seen FROM svc_origins ORDER BY origin DESC OFFSET 19 LIMIT 1)\n    > clock_timestamp() - interval '1 hour'",
  ],
  [
    'stores that wait for trust',
    '100; one that was silent for an hour makes room',
    '`svc stores trust`',
    'runtime/schema/220-store-trust.sql',
    'FROM svc_waiting_stores) >= 100',
  ],
  [
    'rotations of its key that a receiver of a store may miss',
    '4; it remembers 64',
    '`svc stores trust`',
    'runtime/trust/key-rotation.ts',
    'sentRotations = 4',
  ],
  [
    'received records that no signed head covers',
    '100,000 and 256 MiB per store, 3 with the same hash, and none further ahead; the others are dropped and counted',
    '',
    'runtime/schema/230-unconfirmed-records.sql',
    'unconfirmed < 100000 AND unconfirmed_bytes < 268435456',
  ],
  [
    'position in a received message, beyond the one that its store signed',
    '1,000,000; a higher one is not accepted',
    '',
    'runtime/schema/240-origin-epochs.sql',
    'reach > known.signed_to + 1000000',
  ],
];
