import { page, table } from './markdown.js';

/** A limit, and the statement that sets it: a test compares them. */
export const limits: readonly (readonly [
  what: string,
  limit: string,
  change: string,
  file: string,
  statement: string,
])[] = [
  ['body of a request', '1 MiB', '`SVC_BODY_LIMIT`', 'ops/config.ts', "'SVC_BODY_LIMIT', 1_048_576"],
  ['depth of JSON', '64 levels', '', 'endpoints/http/body.ts', 'maxDepth = 64'],
  [
    'length of a GraphQL document',
    '16,384 characters, 1,000 tokens',
    '',
    'endpoints/graphql/limits.ts',
    'characters: 16_384, tokens: 1_000',
  ],
  ['depth of a GraphQL document', '12 levels', '', 'endpoints/graphql/limits.ts', 'depth: 12'],
  ['aliases in a GraphQL document', '32', '', 'endpoints/graphql/limits.ts', 'aliases: 32'],
  [
    'faults listed in an answer',
    '100; `errorCount` has the number',
    '',
    'contracts/faults.ts',
    'maxFaults = 100',
  ],
  ['time of a command', '30 s', '`SVC_DEADLINE_MS`', 'ops/config.ts', "'SVC_DEADLINE_MS', 30_000"],
  [
    'digits of a `Decimal`',
    '60',
    '`@maxDigits`, up to 1,000',
    'contracts/decimal.ts',
    'defaultMaxDigits = 60',
  ],
  [
    'commands at once, per receptor',
    '256',
    '`concurrency` of the receptor',
    'actors/commands/command-handler.ts',
    'defaultConcurrency = 256',
  ],
  [
    'commands waiting, per receptor',
    '1,024',
    '`mailbox` of the receptor',
    'actors/commands/command-handler.ts',
    'defaultMailbox = 1024',
  ],
  [
    'stored answers of an `Idempotency-Key`',
    '24 hours',
    '',
    'runtime/migrations/schema/commit.ts',
    "at + interval '24 hours'",
  ],
  ['`Prefer: wait`', '60 s', '', 'endpoints/http/prefer-wait.ts', 'maxWaitSeconds = 60'],
  [
    'rows of a page',
    '10; at most 100',
    '`pageSize`',
    'endpoints/queries/parse-query.ts',
    'defaultPageSize = 10;\nconst maxPageSize = 100',
  ],
  ['values of a filter', '100', '', 'endpoints/queries/parse-query.ts', 'maxValues = 100'],
  ['columns of a sort order', '10', '', 'endpoints/queries/parse-query.ts', 'maxSorts = 10'],
  ['units of work in a flush', '256', '', 'runtime/store/writer.ts', 'unitsPerFlush ?? 256'],
  [
    'message to the broker',
    '512 KiB, or what the broker accepts',
    '',
    'runtime/transport/nats-message.ts',
    'largestBody = 512 * 1024',
  ],
  [
    'dead letters that wait',
    '10,000; then nothing more is received',
    'replay or discard some',
    'runtime/migrations/schema/inbox-dead-letters.ts',
    'SELECT 10000 - count(*) INTO room',
  ],
  [
    'unknown stores',
    '1,000, then 20 an hour',
    '',
    'runtime/migrations/schema/inbox.ts',
    ">= 1000 AND (SELECT first_seen FROM svc_origins ORDER BY origin DESC OFFSET 19 LIMIT 1)\n    > clock_timestamp() - interval '1 hour'",
  ],
  [
    '`occurredAt` in the future',
    '5 minutes; received events: 1 day',
    '',
    'runtime/store/encode-unit.ts',
    'maxFutureMs = 5 * 60_000',
  ],
  [
    'payload of a hook on system events',
    '64 KiB; a warning from 8 KiB',
    '',
    'runtime/audit/system-event-hooks.ts',
    'warnBytes = 8 * 1024;\nconst refuseBytes = 64 * 1024',
  ],
  [
    'lease of relay, subscriber, perspective',
    'taken over within 5 s',
    '',
    'actors/perspectives/perspective-lease-renewal.ts',
    'leaseMs: 4_000',
  ],
  ['draining', '10 s', '', 'ops/host/run-host-process.ts', 'drainWithinMs = 10_000'],
  [
    'event loop blocked, under `svc supervise`',
    '1.5 s',
    '`--patience`, `SVC_PATIENCE_MS`',
    'ops/config.ts',
    "'SVC_PATIENCE_MS', 1_500",
  ],
  [
    'restarts of a host',
    '10 a minute',
    '`--max-restarts`',
    'actors/supervisor/restart-policy.ts',
    'restarts: 10,',
  ],
  [
    'hosts lost to one command',
    '3 in five minutes, then ten minutes of quarantine',
    '`--quarantine-after`',
    'ops/supervise/quarantine.ts',
    'after: 3, withinMs: 300_000, forMs: 600_000',
  ],
];

export const limitsPage = (): string =>
  page(
    'Limits',
    'Every limit, and how to change it.',
    `Every input and every queue has a limit. What is above it is refused with a problem that names it.

${table(
  ['what', 'limit', 'change it with'],
  limits.map((row) => row.slice(0, 3)),
)}`,
  );
