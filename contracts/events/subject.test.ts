import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { SubjectForgotten } from './subject.js';

const test = suite('events/subject');

const forgotten = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  subject: 'a digest',
  actor: 'ann',
  reason: 'request 4711',
  timestamp: '2026-03-01T09:30:00Z',
};

test('SubjectForgotten records who forgot which subject, and why', () => {
  const event = new SubjectForgotten(forgotten);
  assert.is(JSON.stringify(event), JSON.stringify(forgotten));
  assert.equal(faultsOf(event), []);
  assert.instance(event, SystemEvent);
  assert.is(auditMarkOf(SubjectForgotten)?.exclude, true);
});
