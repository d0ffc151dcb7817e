import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { compareEvent, type EventValues } from './compare-event-with-audit.js';
import { storedDigest } from './stored-digest.js';

const test = suite('compare event');

const recorded = {
  at: '2026-03-01 09:30:00+00',
  correlationId: 'c',
  causationId: 'd',
  scope: { tenantId: 'a' },
};
const event: EventValues = {
  type: 'OrderCreated',
  streamId: 's',
  position: 1,
  body: { total: '3.30', lines: [{ sku: 'bread' }, { sku: 'tea' }], note: null },
  recorded,
  covered: { host: 'north', v: 1 },
};
const differsIn = (more: Partial<EventValues>, audit = event) =>
  compareEvent(audit, { ...event, ...more }).differs;

test('an event equals its audit whatever the order of its fields', () => {
  const body = { note: null, lines: [{ sku: 'bread' }, { sku: 'tea' }], total: '3.30' };
  assert.equal(compareEvent(event, { ...event, body }), { differs: undefined, redacted: 0 });
});

test('the first thing that differs is named', () => {
  assert.is(differsIn({ type: 'OrderPaid' }), 'type');
  assert.is(differsIn({ streamId: 't' }), 'streamId');
  assert.is(differsIn({ position: 2 }), 'position');
  assert.is(differsIn({ body: { ...(event.body as object), total: '0.01' } }), 'data/total');
  assert.is(differsIn({ body: { ...(event.body as object), lines: [{ sku: 'bread' }] } }), 'data/lines/1');
  assert.is(differsIn({ body: { ...(event.body as object), extra: 1 } }), 'data/extra');
  assert.is(differsIn({ body: { ...(event.body as object), lines: { 0: 1 } } }), 'data/lines');
  assert.is(differsIn({ body: null }), 'data');
  assert.is(differsIn({ recorded: { ...recorded, scope: { tenantId: 'b' } } }), 'metadata/scope/tenantId');
  assert.is(differsIn({ recorded: { ...recorded, at: '2020-01-01 00:00:00+00' } }), 'metadata/at');
});

test('redacted values are counted and not compared, but their removal is noticed', () => {
  const audit = { ...event, body: { pin: '[redacted]', who: { card: '[redacted]', name: 'Ada' } } };
  const stored = { ...event, body: { pin: '1234', who: { card: '5', name: 'Ada' } } };
  assert.equal(compareEvent(audit, stored), { differs: undefined, redacted: 2 });
  assert.is(compareEvent(audit, { ...event, body: { who: { card: '5', name: 'Ada' } } }).differs, 'data/pin');
});

test('a digest in the audit covers what the audit hides', () => {
  const stored = { metadata: '{"v":1,"salt":"s"}', data: '{"pin":"1234","card":"5"}' };
  const digest = storedDigest(stored.metadata, stored.data);
  const audit = { ...event, body: { pin: '[redacted]', card: '5' }, digest };
  const body = { pin: '1234', card: '5' };
  assert.equal(compareEvent(audit, { ...event, body, stored }), { differs: undefined, redacted: 0 });
  for (const changed of [{ data: '{"pin":"9999","card":"5"}' }, { metadata: '{"v":1}' }])
    assert.is(compareEvent(audit, { ...event, body, stored: { ...stored, ...changed } }).differs, 'data/pin');
  const both = { ...audit, body: { pin: '[redacted]', card: '[redacted]' } };
  assert.is(compareEvent(both, { ...event, body }).differs, 'data');
});

test('whatever a redaction makes of an event, the digest decides', () => {
  const stored = { metadata: '{"v":1,"salt":"s"}', data: '{"card":"4711","pin":"1"}' };
  const digest = storedDigest(stored.metadata, stored.data);
  const body = { card: '4711', pin: '1' };
  for (const shown of [{ card: '…11', pin: '1' }, { card: '4711' }, {}, null]) {
    const audit = { ...event, body: shown, digest };
    assert.is(compareEvent(audit, { ...event, body, stored }).differs, undefined);
    assert.is(compareEvent(audit, { ...event, body, stored, type: 'Other' }).differs, 'type');
    const altered = { ...stored, data: '{"card":"4712","pin":"1"}' };
    assert.match(compareEvent(audit, { ...event, body, stored: altered }).differs ?? '', /^data/);
  }
});

test('the word for a hidden value in the event itself is named', () => {
  const audit = { ...event, body: { pin: '[redacted]' }, digest: 'another' };
  assert.is(compareEvent(audit, { ...event, body: { pin: '[redacted]' } }).differs, 'data/pin');
  assert.equal(compareEvent({ ...audit, digest: undefined }, { ...event, body: { pin: '[redacted]' } }), {
    differs: undefined,
    redacted: 0,
  });
});

test('an audit that was emitted by hand knows nothing about the envelope', () => {
  const byHand = { ...event, recorded: undefined };
  assert.is(compareEvent(byHand, { ...event, recorded: { ...recorded, scope: null } }).differs, undefined);
});

test('a body may be nested arbitrarily deep', () => {
  const nested = (depth: number) => {
    let value: unknown = 'leaf';
    for (let n = 0; n < depth; n++) value = [value];
    return value;
  };
  assert.is(
    compareEvent({ ...event, body: nested(20_000) }, { ...event, body: nested(20_000) }).differs,
    undefined,
  );
});

test('what the hash of an audit covers besides is compared as far as the audit holds it', () => {
  assert.is(differsIn({ covered: { host: 'south', v: 1 } }), 'metadata/host');
  assert.is(differsIn({ covered: { host: 'north' } }), 'metadata/v');
  assert.is(differsIn({ covered: { host: 'north', v: 1, occurredAt: 1 } }), undefined);
  const { covered: _, ...earlier } = event;
  assert.is(compareEvent(earlier, { ...event, covered: { host: 'south' } }).differs, undefined);
});
