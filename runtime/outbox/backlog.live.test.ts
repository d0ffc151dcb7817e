import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { readOutboxBacklog } from './backlog.js';

const test = suite('outbox backlog');

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
      await store.append(newUuid(), [
        {
          messageId: newUuid(),
          messageType: 'BreadBaked',
          payload: {},
          timestamp: new Date().toISOString(),
          v: 1,
        },
      ]);
    }
    const waiting = await readOutboxBacklog(runtime);
    assert.is(waiting.messages, 3);
    assert.ok(waiting.oldestAgeSeconds > 0 && waiting.oldestAgeSeconds < 60);
    await owner.rows({ text: "UPDATE svc_cursors SET position = 2 WHERE name = 'outbox'" });
    assert.is((await readOutboxBacklog(runtime)).messages, 1);
  }));

test('a read-only database is reported as such', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const [[name = ''] = []] = await owner.rows({ text: 'SELECT quote_ident(current_database())' });
    await owner.rows({ text: `ALTER DATABASE ${name} SET default_transaction_read_only = on` });
    assert.ok((await readOutboxBacklog(connect())).isReadOnly);
  }));
