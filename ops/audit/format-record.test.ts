import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { exportLine, textLine } from './format-record.js';

const test = suite('audit line');

const row = (type: string, data: object, original: string | null = null, metadata: object = { v: 1 }) => [
  '7',
  '018f0000-0000-7000-8000-000000000001',
  type,
  '2026-03-01T09:30:00.123456Z',
  'host-1',
  'ab12',
  original,
  JSON.stringify(data),
  JSON.stringify(metadata),
];

const audited = {
  originalEventType: 'ShopOpened',
  originalStreamId: 's',
  originalStreamPosition: 0,
  originalBody: { originalStreamPosition: 0 },
};

test('an exported line is one record as JSON, with the position of its event added', () => {
  assert.equal(JSON.parse(exportLine(row('EventAudited', audited, '41'))), {
    position: 7,
    eventId: '018f0000-0000-7000-8000-000000000001',
    eventType: 'EventAudited',
    recordedAt: '2026-03-01T09:30:00.123456Z',
    host: 'host-1',
    hash: 'ab12',
    data: { ...audited, originalStreamPosition: 41, timestamp: '2026-03-01T09:30:00.123456Z' },
    metadata: { v: 1 },
  });
});

test('the data of a record without an event is exported verbatim', () => {
  const line = exportLine(row('CommandAudited', { originalStreamPosition: 0, text: '\u2028"\n' }));
  assert.not.match(line, /\n/);
  assert.equal((JSON.parse(line) as { data: unknown }).data, {
    originalStreamPosition: 0,
    text: '\u2028"\n',
    timestamp: '2026-03-01T09:30:00.123456Z',
  });
});

test('an audit carries the time at which it was recorded', () => {
  const data = { id: 'a', commandBody: { timestamp: 'the customer said noon' }, auditLevel: 'Info' };
  const line = JSON.parse(exportLine(row('CommandAudited', data))) as { data: unknown };
  assert.equal(line.data, { ...data, timestamp: '2026-03-01T09:30:00.123456Z' });
});

test('a record that stands for several occurrences says how many', () => {
  const line = textLine(row('AccessDenied', { resourceType: 'orders' }, null, { v: 1, count: 12 }));
  assert.match(line, /AccessDenied {2}orders \(12 times\)$/);
});

test('a line for people shows time, record, user and correlation', () => {
  const command = { commandType: 'OpenShop', userId: 'ada', tenantId: 'acme', correlationId: 'c-1' };
  assert.is(
    textLine(row('CommandAudited', command)),
    '7  2026-03-01T09:30:00.123456Z  CommandAudited  OpenShop  by ada @ acme  [c-1]',
  );
  assert.is(
    textLine(row('EventAudited', audited, '41')),
    '7  2026-03-01T09:30:00.123456Z  EventAudited  ShopOpened in s@41',
  );
});

test('the record of an operator shows who did what to what', () => {
  const created = { action: 'keys create', target: 'svc_1a2b3c4d', actor: 'ann', permissions: ['a:b'] };
  assert.match(
    textLine(row('OperatorActed', created)),
    /OperatorActed {2}keys create svc_1a2b3c4d {2}by ann @ -$/,
  );
  const changed = { name: 'gift-wrap', before: null, after: { on: true }, actor: 'bob\nx' };
  assert.match(textLine(row('FlagChanged', changed)), /FlagChanged {2}gift-wrap {2}by bob x @ -$/);
  const reverted = { strategy: 'canary', revision: '1.5.0', toNew: 10, reason: 'too\nslow', actor: 'ann' };
  assert.match(
    textLine(row('DeploymentReverted', reverted)),
    /DeploymentReverted {2}canary of 1\.5\.0 at 10 %: too slow {2}by ann @ -$/,
  );
  const { reason: _, toNew: __, ...started } = reverted;
  assert.match(
    textLine(row('DeploymentStarted', started)),
    /DeploymentStarted {2}canary of 1\.5\.0 {2}by ann @ -$/,
  );
  assert.match(textLine(row('ShopInspected', { name: 'n', actor: 'a', action: 'b' })), /ShopInspected$/);
});

test('a record of another store is shown whatever its fields contain', () => {
  const hostile = { oldestDue: { toString: 1 }, count: { toString: 1 } };
  assert.match(textLine(row('TimersMissed', hostile)), /since \{"toString":1\}/);
});

test('user and correlation are taken from the envelope if the data has none', () => {
  const metadata = { correlationId: 'c-2', scope: { userId: 'bob' } };
  assert.match(textLine(row('ShopInspected', {}, null, metadata)), / {2}by bob @ - {2}\[c-2\]$/);
});

test('a failure shows its reason on one line, whatever the reason contains', () => {
  const failed = { commandType: 'OpenShop', error: { name: 'Error', message: 'a\nb\u001b[31m c' } };
  assert.match(textLine(row('CommandFailed', failed)), /OpenShop: a b \[31m c$/);
});
