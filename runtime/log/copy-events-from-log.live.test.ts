import * as assert from 'uvu/assert';
import { EventAudited } from '../../contracts/events/audited.js';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { execute } from '../kit/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { CopiedEvents, copyText } from './copy-events-from-log.js';
import type { LogEntry } from './log-entry.js';
import { PostgresLog } from './postgres-log.js';

const test = suite('copied events');

class Baked extends Event {}

const times = [
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.5Z',
  '2026-01-02T03:04:05.000120Z',
  '1999-12-31T23:59:59.999999Z',
];

test('a binary copy of the log yields the same events as the log', () =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const store = openStore();
    const stream = newUuid();
    for (const occurredAt of times)
      await store.append(
        stream,
        {
          messageId: newUuid(),
          messageType: 'Baked',
          payload: { kind: 'Röggeli', of: [1, null] },
          timestamp: occurredAt,
          correlationId: 'c-1',
          scope: { tenantId: 'north' },
          v: 1 as const,
        },
        { occurredAt },
      );
    await execute(
      url,
      `SET session_replication_role = replica; UPDATE svc_events
        SET metadata = '{"correlationId":"c-2","v":1,"salt":"s","host":"forged"}' WHERE stream_position = 2`,
    );
    const database = connect();
    const followed = { events: [Baked, EventAudited] };
    const { entries } = await new PostgresLog(database, undefined).page(followed, 0, 100);
    assert.is(entries.length, times.length);
    assert.ok(entries.some(({ late }) => late));
    const session = await database.session();
    const [origin] = await session.rows({ text: 'SELECT store FROM svc_origins' });
    const copied = new CopiedEvents(new Map([[0, origin?.[0] ?? '']]), undefined);
    const read: LogEntry[] = [];
    const text = copyText(followed, { after: 0, to: 100 });
    await session.copyBytes(text, (message, at) => read.push(copied.entryOf(message, at)));
    session.release();
    assert.equal(read, entries);
    assert.not.ok(read.some(({ event }) => event.host === 'forged' || 'salt' in event));
  }));
