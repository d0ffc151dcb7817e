/** Fields that replace those of an envelope; `undefined` removes the field. */
export interface HostileChange {
  readonly name: string;
  readonly more: Readonly<Record<string, unknown>>;
  /** The reason in the dead letter. */
  readonly why: string;
}

const long = 'x'.repeat(100_000);

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = { a: [value] };
  return value;
};

const emptyMap = {};
const anything = [7, -1.5, true, '', long, [], ['x'], emptyMap, { a: 1 }, nested(20), 2n ** 63n];
const required = [undefined, null, ...anything];
const but = (list: readonly unknown[], fitting: unknown): unknown[] =>
  list.filter((value) => value !== fitting);

const hash = 'ab'.repeat(32);

/** Invalid values for each field of an envelope. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  messageId: [...required, 'one', '018f0000-0000-7000-8000-00000000000g'],
  messageType: required,
  streamId: [...required, 'a stream'],
  streamPosition: [...but(required, 7), 0, -1, 1.5, 2 ** 53, '1'],
  globalPosition: [...but(anything, 7), -1, 1.5, 2 ** 53, '1'],
  timestamp: [...required, 'yesterday'],
  occurredAt: [...required, '2026-02-30T00:00:00Z', '2026-01-01', '0000-01-01T00:00:00Z'],
  // In UTC the year of these times has five digits, or is before the first one.
  recordedAt: [...required, 'now', 1_767_225_600, '9999-12-31T23:00:00-02:00', '0001-01-01T00:00:00+01:00'],
  store: [...required, 'ours'],
  host: required,
  v: [...but(required, 7), 0, '1'],
  correlationId: anything,
  causationId: anything,
  traceparent: anything,
  scope: [...but(anything, emptyMap), { tenantId: 7 }, { userId: { a: 1 } }],
  count: [...but(anything, 7), 0, '1'],
  chain: [
    ...anything,
    { hash },
    { hash, digest: 'x' },
    { hash, digest: hash, originalPosition: -1 },
    ...[7, '', '[]', '{', '['.repeat(100_000)].map((metadata) => ({ hash, digest: hash, metadata })),
  ],
};

const bigText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const shown = (value: unknown): string => (JSON.stringify(value, bigText) ?? 'absent').slice(0, 30);

export const wrongFields: readonly HostileChange[] = Object.entries(wrong).flatMap(([field, list]) =>
  list.map((value) => ({
    name: `${field} is ${shown(value)}`,
    more: { [field]: value },
    why: `invalid: ${field}.`,
  })),
);

/** A domain event whose fields all have the right type. */
export const wrongEvents: readonly HostileChange[] = [
  { name: 'no payload', more: { payload: undefined }, why: 'There is no payload.' },
  {
    name: 'a payload that JSON cannot express',
    more: { payload: { big: 2n ** 63n } },
    why: 'cannot be expressed as JSON',
  },
  {
    name: 'a position that is not a number',
    more: { streamPosition: Number.NaN },
    why: 'A number is not finite.',
  },
  {
    name: 'a payload with infinite numbers',
    more: { payload: { most: Number.POSITIVE_INFINITY, least: [Number.NEGATIVE_INFINITY] } },
    why: 'A number is not finite.',
  },
  { name: 'a deeply nested payload', more: { payload: nested(70) }, why: 'nested deeper' },
  {
    name: 'a payload that is six times as long once it is stored',
    more: { payload: { text: '\u0001'.repeat(900_000) } },
    why: 'message-too-large: As JSON the message has',
  },
  { name: 'U+0000 in the payload', more: { payload: { text: 'a\0b' } }, why: 'cannot be stored' },
  { name: 'U+0000 in a key', more: { payload: { 'a\0b': 1 } }, why: 'cannot be stored' },
  { name: 'U+0000 in the scope', more: { scope: { tenantId: '\0' } }, why: 'cannot be stored' },
  {
    name: 'a type that contradicts its subject',
    more: { messageType: 'OrderPaid' },
    why: 'does not belong on',
  },
  { name: 'a type that is a path', more: { messageType: 'a.b.*.>' }, why: 'does not belong on' },
  {
    name: 'in a time zone that is too far away',
    more: { occurredAt: '2026-01-01T00:00:00+23:00' },
    why: 'out of range',
  },
  {
    name: 'in a thousand years',
    more: { occurredAt: '3026-01-01T00:00:00Z', recordedAt: '3026-01-01T00:00:00Z' },
    why: 'in-the-future',
  },
  { name: 'tomorrow, recorded today', more: { occurredAt: inHours(23) }, why: 'in-the-future' },
];

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

const chain = { hash, digest: hash };
const omitted = 'NATS/1.0\r\nsvc-body: omitted';

/** A system record, a head or a status, with its headers. */
export const wrongRecords: readonly (HostileChange & {
  readonly type: string;
  readonly payload: unknown;
  readonly headers?: string;
})[] = [
  {
    name: 'no position in the chain',
    type: 'CommandAudited',
    payload: {},
    more: {},
    why: 'needs its position in the chain',
  },
  {
    name: 'another digest',
    type: 'CommandAudited',
    payload: { a: 1 },
    more: { chain },
    why: 'digest does not match',
  },
  {
    name: 'a metadata that contradicts the envelope',
    type: 'CommandAudited',
    payload: { a: 1 },
    more: { chain: { ...chain, metadata: '{"scope":{"userId":"root"},"v":1}' } },
    why: 'contradicts the envelope',
  },
  {
    name: 'a forged body that is declared as omitted',
    type: 'CommandAudited',
    payload: { commandBody: { pay: 'me' } },
    more: { chain },
    headers: omitted,
    why: 'must have null in its place',
  },
  {
    name: 'a record without a body to omit',
    type: 'HookFailed',
    payload: { hook: 'x' },
    more: { chain },
    headers: omitted,
    why: 'must have null in its place',
  },
  ...[
    null,
    7,
    {},
    { position: 0, hash },
    { position: 2 ** 53, hash },
    { position: 1, hash: 'x' },
    { position: 1, hash: long },
  ].map((payload) => ({
    name: `a head that is ${shown(payload)}`,
    type: 'ChainHead',
    payload,
    more: {},
    why: 'needs a position and a hash',
  })),
  ...[
    null,
    7,
    {},
    { startedAt: 'x', checks: [] },
    { startedAt: inHours(0), checks: 7 },
    { startedAt: inHours(0), checks: [7], service: 'a', version: '1', status: 'Healthy' },
  ].map((payload) => ({
    name: `a status that is ${shown(payload)}`,
    type: 'HostStatus',
    payload,
    more: {},
    why: 'A host status needs',
  })),
];
