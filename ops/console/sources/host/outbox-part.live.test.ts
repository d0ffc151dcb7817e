import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../../../contracts/uuid.js';
import { withMigratedDatabase } from '../../../../runtime/testing/migrated-database.js';
import { outboxPart } from './outbox-part.js';

const test = suite('outbox of the console');

const relay = () => ({ state: 'idle', counts: { published: 7 } });

test('an outbox reports how many messages wait and for how long', () =>
  withMigratedDatabase(async ({ connect }) => {
    const part = outboxPart(connect(), relay);
    assert.equal(await part.figures(), {
      pending: 0,
      more: false,
      oldestAgeMs: undefined,
      relay: 'idle',
      counts: { published: 7 },
      dead: 0,
    });
    await connect({ owner: true }).rows({
      text: `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT n, $1::uuid, n, gen_random_uuid(), 'Rang', '{}', '{}', 'h', now(), now() - interval '5 s' FROM generate_series(1, 10001) n`,
      values: [newUuid()],
    });
    const { pending, more, oldestAgeMs = 0 } = await part.figures();
    assert.equal([pending, more], [10_000, true]);
    assert.ok(oldestAgeMs >= 5_000 && oldestAgeMs < 60_000, String(oldestAgeMs));
  }));

test('a dead letter that does not exist can be neither replayed nor discarded', () =>
  withMigratedDatabase(async ({ connect }) => {
    const part = outboxPart(connect(), relay);
    assert.equal([await part.replay(7), await part.discard(7, 'gone')], [false, false]);
    assert.is(await part.deadLetter(7), undefined);
  }));

test.run();
