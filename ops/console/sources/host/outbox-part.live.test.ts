import * as assert from 'uvu/assert';
import { type Envelope, Event } from '../../../../contracts/message.js';
import { hide, redacted, redactObject } from '../../../../contracts/redaction.js';
import { SystemEventOptions } from '../../../../contracts/system-event-options.js';
import { suite } from '../../../../contracts/testing/suite.js';
import { newUuid } from '../../../../contracts/uuid.js';
import { AuditPolicy } from '../../../../runtime/audit/audit-policy.js';
import type { Database } from '../../../../runtime/database/database.js';
import { encodeEnvelope } from '../../../../runtime/envelope/envelope-codec.js';
import { withMigratedDatabase } from '../../../../runtime/testing/migrated-database.js';
import type { ActedBy } from '../../model/acted-by.js';
import { outboxPart } from './outbox-part.js';

const test = suite('outbox of the console');

class Charged extends Event {}

const policy = new AuditPolicy(new SystemEventOptions());
policy.redact(Charged, (message) => redactObject(message, { card: hide }));

const operatorOf = ({ actor, reason }: ActedBy) => ({
  operator: { host: 'bakery-1', changedBy: actor },
  reason,
});

const relay = () => ({ state: 'idle', counts: { published: 7 } });

test('an outbox reports how many messages wait and for how long', () =>
  withMigratedDatabase(async ({ connect }) => {
    const part = outboxPart(connect(), relay, policy, operatorOf);
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

const by = { actor: 'ann', reason: 'gone' };

test('a dead letter that does not exist can be neither replayed nor discarded', () =>
  withMigratedDatabase(async ({ connect }) => {
    const part = outboxPart(connect(), relay, policy, operatorOf);
    assert.equal([await part.replay(7, by), await part.discard(7, by)], [false, false]);
    assert.is(await part.deadLetter(7), undefined);
  }));

/** Stores a received message as a dead letter; returns its id. */
async function addLetter(owner: Database, type: string, subject: string, body: Uint8Array): Promise<number> {
  const [row] = await owner.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, state, attempts, error, fingerprint, id, message_type, destination, bytes, body)
      VALUES ('inbox', gen_random_uuid()::text, 'parked', 1, 'no', 'f', nextval('svc_dead_letter_ids'), $1, $2, length($3::bytea), $3) RETURNING id`,
    values: [type, subject, Buffer.from(body)],
  });
  return Number(row?.[0]);
}

test('a dead letter is shown without sensitive values, and without a message that is not in the form of its type', () =>
  withMigratedDatabase(async ({ connect }) => {
    const part = outboxPart(connect(), relay, policy, operatorOf);
    const shown = async (type: string, subject: string, value: object) => {
      const id = await addLetter(connect({ owner: true }), type, subject, encodeEnvelope(value as Envelope));
      return (await part.deadLetter(id))?.message;
    };
    const payload = { card: '4111', amount: 7 };
    const charged = { messageType: 'Charged', payload };
    assert.equal(await shown('Charged', 'svc.events.Charged', charged), {
      ...charged,
      payload: { card: redacted, amount: 7 },
    });
    assert.is(await shown('Charged', 'svc.events.Charged', payload), undefined);
    assert.is(await shown('Other', 'svc.events.Charged', { ...charged, messageType: 'Other' }), undefined);
    const other = { messageType: 'Other', payload };
    assert.equal(await shown('Other', 'svc.events.Other', other), other);
  }));
