import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { readOutboxBacklog } from './backlog.js';

const test = suite('outbox backlog');

const baked = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'BreadBaked',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

test('the backlog counts what the relay has not published yet, with the age of the oldest', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const runtime = connect();
    const owner = connect({ owner: true });
    const store = openStore();
    assert.equal(await readOutboxBacklog(runtime), {
      messages: 0,
      oldestAgeSeconds: 0,
      isReadOnly: false,
    });
    for (let n = 0; n < 3; n++) {
      await store.append(newUuid(), [baked()]);
    }
    const waiting = await readOutboxBacklog(runtime);
    assert.is(waiting.messages, 3);
    assert.ok(waiting.oldestAgeSeconds > 0 && waiting.oldestAgeSeconds < 60);
    await owner.rows({ text: "UPDATE svc_progress SET position = 2 WHERE name = 'outbox'" });
    assert.is((await readOutboxBacklog(runtime)).messages, 1);
  }));

test('the backlog has everything that is republished, also when republish runs again before the relay is done', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const [runtime, owner] = [connect(), connect({ owner: true })];
    const envelope = () => ({ ...baked(), messageType: 'FlagChanged' });
    const records = Array.from({ length: 4 }, () => ({ envelope: envelope(), publish: false }));
    await openStore().commit({ events: [], records, expected: new Map() });
    const relayReaches = (position: number) =>
      owner.rows({ text: `UPDATE svc_progress SET position = ${position} WHERE name = 'outbox'` });
    await owner.rows({ text: 'UPDATE svc_store SET broadcast = true' });
    for (const position of [4, 2]) {
      await relayReaches(position);
      await runtime.rows({ text: 'SELECT svc_outbox_republish(1)' });
      assert.is((await readOutboxBacklog(runtime)).messages, 4);
    }
    assert.equal(await runtime.rows({ text: 'SELECT count(*) FROM svc_outbox_pending' }), [['4']]);
  }));

test('a read-only database is reported as such', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const [[name = ''] = []] = await owner.rows({ text: 'SELECT quote_ident(current_database())' });
    await owner.rows({ text: `ALTER DATABASE ${name} SET default_transaction_read_only = on` });
    assert.ok((await readOutboxBacklog(connect())).isReadOnly);
  }));
