import { page, table } from './table.js';

const limits: readonly (readonly [what: string, limit: string, change: string])[] = [
  ['body of a request', '1 MiB', '`SVC_BODY_LIMIT`'],
  ['depth of JSON', '64 levels', ''],
  ['depth of a GraphQL document', '12 levels', ''],
  ['aliases in a GraphQL document', '32', ''],
  ['faults listed in an answer', '100; `errorCount` has the number', ''],
  ['time of a command', '30 s', '`SVC_DEADLINE_MS`'],
  ['digits of a `Decimal`', '60', '`@maxDigits`, up to 1,000'],
  ['commands at once, per receptor', '256', '`concurrency` of the receptor'],
  ['commands waiting, per receptor', '1,024', '`mailbox` of the receptor'],
  ['stored answers of an `Idempotency-Key`', '24 hours', ''],
  ['`Prefer: wait`', '60 s', ''],
  ['rows of a page', '10; at most 100', '`pageSize`'],
  ['values of a filter', '100', ''],
  ['columns of a sort order', '10', ''],
  ['units of work in a flush', '256', ''],
  ['message to the broker', '512 KiB, or what the broker accepts', ''],
  ['dead letters that wait', '10,000; then nothing more is received', 'replay or discard some'],
  ['unknown stores', '1,000, then 20 an hour', ''],
  ['`occurredAt` in the future', '5 minutes; received events: 1 day', ''],
  ['payload of a hook on system events', '64 KiB; a warning from 8 KiB', ''],
  ['lease of relay, subscriber, perspective', 'taken over within 5 s', ''],
  ['draining', '10 s', ''],
  ['event loop blocked, under `svc supervise`', '1.5 s', '`--patience`, `SVC_PATIENCE_MS`'],
  ['restarts of a host', '10 a minute', '`--max-restarts`'],
  ['hosts lost to one command', '3 in five minutes, then ten minutes of quarantine', '`--quarantine-after`'],
];

export const limitsPage = (): string =>
  page(
    'Limits',
    'Every limit, and how to change it.',
    `Every input and every queue has a limit. What is above it is refused with a problem that names it.

${table(['what', 'limit', 'change it with'], limits)}`,
  );
