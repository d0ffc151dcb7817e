/** Nested msgpack lists that contain the previous one twice, by reference: 2 ** levels values in a few bytes per level. */
export function doubling(levels: number): Uint8Array {
  const named = (id: number) => [0xd6, 0x69, 0, 0, 0, id];
  const again = (id: number) => [0xd6, 0x70, 0, 0, 0, id];
  const rows = Array.from({ length: levels }, (_, n) =>
    n === 0 ? [...named(1), 0x92, 0xc0, 0xc0] : [...named(n + 1), 0x92, ...again(n), ...again(n)],
  );
  return Uint8Array.from([0xdc, 0, levels, ...rows.flat()]);
}

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const repeated = (times: number, ...values: number[]): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => bytes(...values)));

const values = 1 << 18;

/** Bodies that are not an envelope: a description, the bytes, and the reason in the dead letter. */
export const hostileBytes: readonly (readonly [name: string, body: Uint8Array, why: string])[] = [
  ['nothing at all', bytes(), 'ends in the middle'],
  ['text that is not msgpack', Buffer.from('not msgpack at all'), 'does not end where'],
  ['JSON', Buffer.from('{"messageId":1}'), 'does not end where'],
  ['a number', bytes(7), 'is not an envelope'],
  ['a list', bytes(0x93, 1, 2, 3), 'is not an envelope'],
  ['null', bytes(0xc0), 'is not an envelope'],
  ['an empty map', bytes(0x80), 'missing or invalid: messageId,'],
  ['the byte that msgpack never uses', bytes(0xc1), 'Extensions'],
  ['a map that ends early', bytes(0x82, 0xa1, 0x61, 1), 'ends in the middle'],
  ['a map and more', bytes(0x80, 0x80), 'does not end where'],
  ['a list that claims four billion values', bytes(0xdd, 0xff, 0xff, 0xff, 0xff), 'message-too-large'],
  ['a map that claims four billion pairs', bytes(0xdf, 0xff, 0xff, 0xff, 0xff), 'message-too-large'],
  ['a text that claims four gigabytes', bytes(0xdb, 0xff, 0xff, 0xff, 0xff), 'ends in the middle'],
  ['a binary value that claims four gigabytes', bytes(0xc6, 0xff, 0xff, 0xff, 0xff), 'Binary'],
  ['an extension that claims four gigabytes', bytes(0xc9, 0xff, 0xff, 0xff, 0xff, 1), 'Extensions'],
  ['references that double', doubling(40), 'Extensions'],
  ['a record of msgpackr', bytes(0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 1), 'Extensions'],
  ['a time', bytes(0xd6, 0xff, 0, 0, 0, 0), 'Extensions'],
  ['an error object', bytes(0xc7, 1, 0x65, 0x91), 'Extensions'],
  ['a map whose key is a number', bytes(0x81, 1, 1), 'A key is not text'],
  ['a map whose key is a map', bytes(0x81, 0x80, 1), 'A key is not text'],
  ['200,000 lists nested in each other', Buffer.alloc(200_000, 0x91), 'nested deeper'],
  ['200,000 maps nested in each other', repeated(200_000, 0x81, 0xa1, 0x61), 'nested deeper'],
  [
    'too many empty lists',
    Buffer.concat([bytes(0xdd, 0, 4, 0, 0), Buffer.alloc(values, 0x90)]),
    'message-too-large',
  ],
  ['ten megabytes', Buffer.alloc(10_000_000, 0xa5), 'message-too-large'],
];
