import * as assert from 'uvu/assert';
import { EventAudited } from '../../contracts/events/audited.js';
import { SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { systemEnvelope } from '../envelope/system-envelope.js';
import { AuditPolicy } from './audit-policy.js';
import { systemRecord, uncheckedRecord } from './system-record.js';

const test = suite('system record');
const policy = new AuditPolicy(new SystemEventOptions());

class Noise extends SystemEvent {}

test('a record holds the envelope of its message, the event it is about, and whether it may be published', () => {
  const of = { streamId: newUuid(), envelope: systemEnvelope(new Noise()) };
  const record = uncheckedRecord(new Noise(), { correlationId: 'c' }, policy, of);
  assert.is(record.envelope.messageType, 'Noise');
  assert.is(record.envelope.correlationId, 'c');
  assert.is(record.of, of);
  assert.is(record.publish, false);
  const broadcasting = new AuditPolicy(new SystemEventOptions().broadcast());
  assert.is(systemRecord(new Noise(), {}, broadcasting).publish, true);
});

test('an invalid message is rejected with every fault at its path', () => {
  const broken = Reflect.construct(EventAudited, [
    { originalEventType: 'X', auditLevel: 'Loud' },
  ]) as EventAudited;
  try {
    systemRecord(broken, {}, policy);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Problem);
    const { code, errors, message } = error as Problem;
    assert.is(code, 'invalid-system-event');
    assert.equal(
      errors?.map(({ path }) => path),
      ['/originalStreamId', '/originalStreamPosition', '/originalBody', '/timestamp', '/auditLevel'],
    );
    assert.match(
      message,
      /^EventAudited: \/originalStreamId is required; .*\/auditLevel must be one of Info/,
    );
  }
});

test('a message of the service that declares no fields has nothing to check', () => {
  assert.is(systemRecord(new Noise(), {}, policy).envelope.payload instanceof Noise, true);
});
