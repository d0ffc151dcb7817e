import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isAudit, readPayload, readText, sentPayload } from './audit-timestamp.js';

const test = suite('audit time');
const at = '2026-03-01T09:30:00.123456Z';

test('only the two audits have the time at which they were recorded', () => {
  assert.equal(['EventAudited', 'CommandAudited', 'CommandFailed', undefined].map(isAudit), [
    true,
    true,
    false,
    false,
  ]);
  const given = { timestamp: 'given' };
  assert.equal(readPayload('CommandAudited', given, undefined, at), { timestamp: at });
  assert.equal(readPayload('EventAudited', given, 3, at), { timestamp: at, originalStreamPosition: 3 });
  assert.is(readPayload('CommandFailed', given, undefined, at), given);
  for (const odd of [null, 'text']) assert.is(readPayload('EventAudited', odd, 3, at), odd);
});

test('a message carries the time of an audit, and keeps a stored time as it was stored', () => {
  const stored = { id: 'a', timestamp: 'stored', auditLevel: 'Info' };
  const read = readPayload('CommandAudited', stored, undefined, at);
  assert.is(JSON.stringify(sentPayload(read, JSON.stringify(stored))), JSON.stringify(stored));
  const body = { id: 'a', commandBody: { timestamp: 'noon' } };
  const later = readPayload('CommandAudited', body, undefined, at);
  assert.equal(sentPayload(later, JSON.stringify(body)), { ...body, timestamp: at });
});

test('the time is inserted into the text of an audit, whatever the text is', () => {
  const put = (text: string) => readText('CommandAudited', text, at);
  assert.is(put('{}'), `{"timestamp":"${at}"}`);
  assert.is(put('{"a":1}'), `{"a":1,"timestamp":"${at}"}`);
  assert.is(put('{"timestamp":"stored","a":1}'), `{"timestamp":"${at}","a":1}`);
  for (const odd of ['null', '[1]', '"timestamp"']) assert.is(put(odd), odd);
  assert.is(readText('CommandFailed', '{}', at), '{}');
});
