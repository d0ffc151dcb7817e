import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { Notifications } from '../database/notifications.js';
import { eventsAlone } from '../database/notify.js';
import { until } from '../kit/until.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { StagedLists } from '../unit/staged-lists.js';

const test = suite('notifications of flushes');

const staged = (): StagedEvent => ({
  streamId: newUuid(),
  envelope: {
    messageId: newUuid(),
    messageType: 'Happened',
    payload: {},
    timestamp: '2026-03-01T09:30:00Z',
    v: 1,
  },
});

const withTimer = (): StagedLists => {
  const lists = new StagedLists();
  const due = { inMs: 60_000 };
  const named = { id: newUuid(), kind: 'command', name: 'Remind', key: '', again: 'replace' } as const;
  lists.set({ ...named, due, data: {}, context: {} });
  return lists;
};

test('the notification of a commit says that it holds events alone, unless it sets a timer', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    const notified: (string | undefined)[] = [];
    const stop = new Notifications(connect()).subscribe((channel, payload) => {
      if (channel === 'svc') notified.push(payload);
    });
    await until(() => notified.length === 1);
    const expected = new Map();
    await store.commit({ events: [staged()], records: [], expected });
    await until(() => notified.length === 2);
    await store.commit({ events: [staged(), staged()], records: [], expected });
    await until(() => notified.length === 3);
    await store.commit({ events: [staged()], records: [], expected, lists: withTimer() });
    await until(() => notified.length === 4);
    assert.equal(notified, [undefined, eventsAlone, eventsAlone, '']);
    stop();
  }));
