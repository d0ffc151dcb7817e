import * as assert from 'uvu/assert';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { correlationIn, correlationOf } from './correlation.js';

const test = suite('correlation');

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a valid correlation id and traceparent are kept', () => {
  const { correlationId, traceparent } = correlationIn({ 'x-correlation-id': 'order-7', traceparent: trace });
  assert.is(correlationId, 'order-7');
  assert.is(traceparent, trace);
});

test('a tracestate is kept with its traceparent, never without one or with one that is not valid', () => {
  assert.is(correlationIn({ traceparent: trace, tracestate: 'foo=1, bar=2' }).tracestate, 'foo=1,bar=2');
  assert.is(correlationIn({ tracestate: 'foo=1' }).tracestate, undefined);
  assert.is(correlationIn({ traceparent: 'nonsense', tracestate: 'foo=1' }).tracestate, undefined);
  assert.is(correlationIn({ traceparent: trace, tracestate: 'foo' }).tracestate, undefined);
});

test('of a long tracestate long members are left out first, then those at the end', () => {
  const short = Array.from({ length: 12 }, (_, n) => `short${n}=${'x'.repeat(45)}`);
  const tracestate = [`long=${'y'.repeat(200)}`, ...short].join(',');
  const kept = correlationIn({ traceparent: trace, tracestate }).tracestate ?? '';
  assert.ok(kept.length <= 512 && kept.length > 400, String(kept.length));
  assert.equal(kept.split(','), short.slice(0, kept.split(',').length));
});

test('absent ones are generated', () => {
  const { messageId, correlationId, traceparent } = correlationIn({});
  assert.ok(isUuid(messageId));
  assert.is(correlationId, messageId);
  assert.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test('a request keeps the ids that were generated for it', () => {
  const request = { headers: {} };
  assert.is(correlationOf(request), correlationOf(request));
});

for (const bad of ['', 'a b', 'x'.repeat(129), 'ü']) {
  test(`the correlation id ${JSON.stringify(bad.slice(0, 5))} is not accepted`, () => {
    const { messageId, correlationId } = correlationIn({ 'x-correlation-id': bad });
    assert.is(correlationId, messageId);
  });
}

for (const bad of [
  '',
  'nonsense',
  trace.replace('00-', 'ff-'),
  trace.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`),
  trace.toUpperCase(),
]) {
  test(`the traceparent ${JSON.stringify(bad.slice(0, 12))} is not accepted`, () => {
    assert.is.not(correlationIn({ traceparent: bad }).traceparent, bad);
  });
}
