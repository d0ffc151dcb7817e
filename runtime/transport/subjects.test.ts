import * as assert from 'uvu/assert';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { destinationOf, subjectMatches } from './subjects.js';

const test = suite('subjects');

test('a domain event is published on the subject of its type', () => {
  const streamId = '018f0000-0000-7000-8000-0000000000aa';
  assert.is(destinationOf({ messageType: 'OrderCreated', streamId }), 'svc.events.OrderCreated');
});

test('a domain event with the name of an audit is a domain event', () => {
  const streamId = '018f0000-0000-7000-8000-0000000000aa';
  assert.is(destinationOf({ messageType: 'EventAudited', streamId }), 'svc.events.EventAudited');
});

test('audits go to the audit topic, other system messages to the subject of their type', () => {
  const { streamId } = SystemEventStreams;
  assert.is(destinationOf({ messageType: 'EventAudited', streamId }), 'svc.core.auditevents');
  assert.is(destinationOf({ messageType: 'CommandAudited', streamId }), 'svc.core.auditevents');
  assert.is(destinationOf({ messageType: 'HookFailed', streamId }), 'svc.system.HookFailed');
});

for (const [pattern, subject, matches] of [
  ['svc.events.Baked', 'svc.events.Baked', true],
  ['svc.events.Baked', 'svc.events.BakedTwice', false],
  ['svc.events.*', 'svc.events.Baked', true],
  ['svc.*.Baked', 'svc.events.Baked', true],
  ['svc.*', 'svc.events.Baked', false],
  ['svc.events.*', 'svc.events', false],
  ['svc.>', 'svc.events.Baked', true],
  ['svc.events.>', 'svc.events', false],
  ['>', 'svc', true],
  ['*.*.*.*', 'svc.events.Baked', false],
] as const) {
  test(`the pattern ${pattern} ${matches ? 'matches' : 'does not match'} ${subject}`, () => {
    assert.is(subjectMatches(pattern, subject), matches);
  });
}
