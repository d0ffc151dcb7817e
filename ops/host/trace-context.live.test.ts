import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { loadService } from '../service/load-service.js';
import { anOrder } from '../testing/order-load.js';
import { startHost } from './host.js';

/** The cases of the test suite of W3C Trace Context (strict level 2), and of its level 2, each by its name there. */
const test = suite('W3C Trace Context');

type Headers = readonly (readonly [string, string])[];

const id = '12345678901234567890123456789012';
const parent = '1234567890123456';
const valid = `00-${id}-${parent}-01`;
const given = (...states: readonly string[]): Headers => [
  ['traceparent', `00-${id}-${parent}-00`],
  ...states.map((state) => ['tracestate', state] as const),
];
const parented = (traceparent: string): Headers => [['traceparent', traceparent]];

const kept: readonly (readonly [string, Headers])[] = [
  ['traceparent_included_tracestate_missing', parented(valid)],
  ...['TraceParent', 'TrAcEpArEnT', 'TRACEPARENT'].map(
    (name) => ['traceparent_header_name_valid_casing', [[name, valid]]] as const,
  ),
  ['traceparent_version_0xcc', parented(`cc-${id}-${parent}-01`)],
  ['traceparent_version_0xcc', parented(`cc-${id}-${parent}-01-what-the-future-will-be-like`)],
  ...[` ${valid}`, `\t${valid}`, `${valid} `, `${valid}\t`, `\t ${valid} \t`].map(
    (text) => ['traceparent_ows_handling', parented(text)] as const,
  ),
];

const begun: readonly (readonly [string, Headers])[] = [
  ['both_traceparent_and_tracestate_missing', []],
  ['traceparent_duplicated', [...parented(`00-${id.slice(0, -1)}1-${parent}-01`), ...parented(valid)]],
  ['traceparent_header_name', [['trace-parent', valid]]],
  ['traceparent_header_name', [['trace.parent', valid]]],
  ...[
    ['version_0x00', `${valid}.`],
    ['version_0x00', `${valid}-what-the-future-will-be-like`],
    ['version_0xcc', `cc-${id}-${parent}-01.what-the-future-will-be-like`],
    ['version_0xff', `ff-${id}-${parent}-01`],
    ['version_illegal_characters', `.0-${id}-${parent}-01`],
    ['version_illegal_characters', `0.-${id}-${parent}-01`],
    ['version_too_long', `000-${id}-${parent}-01`],
    ['version_too_long', `0000-${id}-${parent}-01`],
    ['version_too_short', `0-${id}-${parent}-01`],
    ['trace_id_all_zero', `00-${'0'.repeat(32)}-${parent}-01`],
    ['trace_id_illegal_characters', `00-.${id.slice(1)}-${parent}-01`],
    ['trace_id_illegal_characters', `00-${id.slice(0, -1)}.-${parent}-01`],
    ['trace_id_too_long', `00-${id}3-${parent}-01`],
    ['trace_id_too_short', `00-${id.slice(0, -1)}-${parent}-01`],
    ['parent_id_all_zero', `00-${id}-${'0'.repeat(16)}-01`],
    ['parent_id_illegal_characters', `00-${id}-.${parent.slice(1)}-01`],
    ['parent_id_illegal_characters', `00-${id}-${parent.slice(0, -1)}.-01`],
    ['parent_id_too_long', `00-${id}-${parent}7-01`],
    ['parent_id_too_short', `00-${id}-${parent.slice(0, -1)}-01`],
    ['trace_flags_illegal_characters', `00-${id}-${parent}-.0`],
    ['trace_flags_illegal_characters', `00-${id}-${parent}-0.`],
    ['trace_flags_too_long', `00-${id}-${parent}-001`],
    ['trace_flags_too_short', `00-${id}-${parent}-1`],
  ].map(([name = '', text = '']) => [`traceparent_${name}`, parented(text)] as const),
];

const characters = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)).join('');
const key = `${characters(0x61, 0x7a)}0123456789_-*/`;
const value = characters(0x20, 0x2b) + characters(0x2d, 0x3c) + characters(0x3e, 0x7e);
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `bar${String(from + n).padStart(2, '0')}=${from + n}`).join(
    ',',
  );

/** The tracestate that is passed on; '' for none. */
const states: readonly (readonly [string, Headers, string])[] = [
  ['tracestate_included_traceparent_missing', [['tracestate', 'foo=1,bar=2']], ''],
  ['tracestate_included_traceparent_included', given('foo=1,bar=2'), 'foo=1,bar=2'],
  ['tracestate_header_name', [...given(), ['trace-state', 'foo=1']], ''],
  ['tracestate_header_name', [...given(), ['trace.state', 'foo=1']], ''],
  ...['TraceState', 'TrAcEsTaTe', 'TRACESTATE'].map(
    (name) => ['tracestate_header_name_valid_casing', [...given(), [name, 'foo=1']], 'foo=1'] as const,
  ),
  ['tracestate_empty_header', given(''), ''],
  ['tracestate_empty_header', given('foo=1', ''), 'foo=1'],
  ['tracestate_empty_header', given('', 'foo=1'), 'foo=1'],
  [
    'tracestate_multiple_headers_different_keys',
    given('foo=1,bar=2', 'rojo=1,congo=2', 'baz=3'),
    'foo=1,bar=2,rojo=1,congo=2,baz=3',
  ],
  ...[['foo=1,foo=1'], ['foo=1,foo=2'], ['foo=1', 'foo=1'], ['foo=1', 'foo=2']].map(
    (texts) => ['tracestate_duplicated_keys', given(...texts), 'foo=1'] as const,
  ),
  ['tracestate_all_allowed_characters', given(`${key}=${value}`), `${key}=${value}`],
  ['tracestate_all_allowed_characters', given(`${key}@a-z0-9_-*/=${value}`), `${key}@a-z0-9_-*/=${value}`],
  ...['foo=1 \t , \t bar=2, \t baz=3', 'foo=1\t \t,\t \tbar=2,\t \tbaz=3'].map(
    (text) => ['tracestate_ows_handling', given(text), 'foo=1,bar=2,baz=3'] as const,
  ),
  ...[' foo=1', '\tfoo=1', 'foo=1 ', 'foo=1\t', '\t foo=1 \t'].map(
    (text) => ['tracestate_ows_handling', given(text), 'foo=1'] as const,
  ),
  ...['foo =1', 'FOO=1', 'foo.bar=1'].map(
    (text) => ['tracestate_key_illegal_characters', given(text), ''] as const,
  ),
  ...['foo@=1,bar=2', 'foo@@bar=1,bar=2', 'foo@bar@baz=1,bar=2'].map(
    (text) => ['tracestate_key_illegal_vendor_format', given(text), text] as const,
  ),
  ['tracestate_key_illegal_vendor_format', given('@foo=1,bar=2'), ''],
  [
    'tracestate_member_count_limit',
    given(numbered(1, 10), numbered(11, 20), numbered(21, 30), numbered(31, 32)),
    numbered(1, 32),
  ],
  ['tracestate_member_count_limit', given(numbered(1, 20), numbered(21, 33)), ''],
  ...[
    'z'.repeat(256),
    `${'t'.repeat(241)}@${'v'.repeat(14)}`,
    `${'t'.repeat(242)}@v`,
    `t@${'v'.repeat(15)}`,
  ].map((name) => ['tracestate_key_length_limit', given('foo=1', `${name}=1`), `foo=1,${name}=1`] as const),
  ['tracestate_key_length_limit', given('foo=1', `${'z'.repeat(257)}=1`), ''],
  ['tracestate_value_illegal_characters', given('foo=bar=baz'), ''],
  ['tracestate_value_illegal_characters', given('foo=,bar=3'), ''],
];

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }),
);
test.after(() => trace.disable());

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

/** Where the receptor would call other services from: the context that is passed on. */
interface Outgoing {
  readonly traceparent: string;
  readonly traceId: string;
  readonly parentId: string;
  readonly flags: number;
  readonly tracestate: string;
}

async function outgoing(url: string, headers: Headers): Promise<Outgoing> {
  exporter.reset();
  const traceparent = await answeredTraceparent(url, headers);
  const handled = () => exporter.getFinishedSpans().find(({ name }) => name === 'CreateOrderReceptor');
  await until(() => handled() !== undefined);
  const { traceId, spanId, traceState } = handled()?.spanContext() ?? {};
  const [, answeredId = '', , flags = ''] = traceparent.split('-');
  assert.is(answeredId, traceId);
  return {
    traceparent,
    traceId: answeredId,
    parentId: spanId ?? '',
    flags: Number.parseInt(flags, 16),
    tracestate: traceState?.serialize() ?? '',
  };
}

/** Headers as they are written, also twice. */
function answeredTraceparent(url: string, headers: Headers): Promise<string> {
  const raw = [...headers, ['content-type', 'application/json'], ['host', new URL(url).host]].flat();
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/orders`, { method: 'POST', headers: raw }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(String(answer.headers['traceparent'])));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(anOrder));
  });
}

const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

test('every case of the test suite holds', () =>
  withStore(async (database) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: database });
    const host = await startHost(await loadService(orders), config);
    try {
      for (const [name, headers] of kept) {
        const found = await outgoing(host.url, headers);
        assert.match(found.traceparent, wellFormed, name);
        assert.is(found.traceId, id, `${name} ${JSON.stringify(headers)}`);
        assert.is.not(found.parentId, parent, name);
      }
      for (const [name, headers] of begun) {
        const found = await outgoing(host.url, headers);
        assert.match(found.traceparent, wellFormed, name);
        assert.not(found.traceId.startsWith(id.slice(0, 30)), `${name} ${JSON.stringify(headers)}`);
      }
      for (const [name, headers, expected] of states) {
        const found = await outgoing(host.url, headers);
        assert.is(found.tracestate, expected, `${name} ${JSON.stringify(headers)}`);
      }
      const text = `SELECT DISTINCT metadata->>'tracestate' FROM svc_events WHERE metadata->>'tracestate' LIKE '%foo=1%'`;
      const stored = (await rowsOf(database, text)).flat();
      for (const state of ['foo=1', 'foo=1,bar=2', 'foo=1,bar=2,baz=3']) assert.ok(stored.includes(state));
      const parents = new Set<string>();
      for (let n = 0; n < 3; n++) parents.add((await outgoing(host.url, parented(valid))).parentId);
      assert.is(parents.size, 3, 'multiple_requests_with_valid_traceparent');
      const random = await outgoing(host.url, parented(`00-${id}-${parent}-02`));
      assert.is(random.flags & 0b10, 0b10, 'propagates_random_flag');
    } finally {
      await host.stop();
    }
  }));
