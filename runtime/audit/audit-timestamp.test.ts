import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isAudit, readPayload, readText } from './audit-timestamp.js';

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

test('the time is inserted into the text of an audit, whatever the text is', () => {
  const put = (text: string) => readText('CommandAudited', text, at);
  assert.is(put('{}'), `{"timestamp":"${at}"}`);
  assert.is(put('{"a":1}'), `{"a":1,"timestamp":"${at}"}`);
  for (const odd of ['null', '[1]', '"timestamp"']) assert.is(put(odd), odd);
  assert.is(readText('CommandFailed', '{}', at), '{}');
});
