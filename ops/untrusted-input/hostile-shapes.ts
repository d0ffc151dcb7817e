import { seeds } from '../../contracts/testing/seeds.js';

/** A text of about this many characters that is meant to be slow to parse. */
export type Shape = (size: number) => string;

/** One unit repeated between a prefix and a suffix. */
export const run =
  (unit: string, before = '', after = ''): Shape =>
  (size) =>
    before +
    unit.repeat(Math.max(1, Math.floor((size - before.length - after.length) / unit.length))) +
    after;

const delimiters = [
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '"',
  "'",
  '\\',
  '/',
  '*',
  '.',
  ':',
  '-',
  '+',
  '&',
  '[',
  ']',
  '?',
  '#',
  '%',
];
const pieces = [
  '0',
  '9',
  'a',
  'é',
  ', ',
  '; ',
  '" ',
  '\\"',
  '%41',
  '%zz',
  'a=',
  'a,',
  'a;',
  '*/*,',
  '*/*;q=0,',
  'a&',
  'a=%41&',
];

/** Nothing, and what makes most parsers fail. */
const ends = ['', '"""', 'x!'];
const endsTried = seeds(1, ends.length);

/**
 * Runs of every delimiter and small piece: alone, after what a parser waits for, and before what makes it fail. A full
 * run combines all of them; others take each run after each start once, with every end in turn.
 */
export const textShapes = (...starts: readonly string[]): readonly Shape[] =>
  ['', ...starts].flatMap((start, nth) =>
    [...delimiters, ...pieces].flatMap((unit, at) =>
      Array.from({ length: endsTried }, (_, turn) => run(unit, start, ends[(nth + at + turn) % ends.length])),
    ),
  );

/** Strings of a JSON body, in their JSON form. */
const written = [
  ...[' ', 'a', '0', '9', '.', '-', ':', '/', '~', '@', '%41', 'a.', 'a@', '1:', 'P1D', '€', '🫖', '[', '{'],
  ...['\\\\', '\\"', '\\u0000', '\\ud800', '\\udc00\\ud800', '\\n', '\\u005f'],
];

const longName = (size: number): string => 'k'.repeat(Math.floor(size / 4));

const listOf = (item: string): Shape => run(`${item},`, '[', `${item}]`);

/** Shapes that make the most of a whole body. */
export const denseShapes: readonly Shape[] = [
  run('0', '1', '1'),
  run('\\\\', '"', '"'),
  run('"a":1.0,', '{', '"a":1}'),
  ...['1e1', '4.10', '1', '{}', '""'].map(listOf),
  (size) => `{${Array.from({ length: Math.floor(size / 12) }, (_, n) => `"k${n}":1.0`).join()}}`,
];

/** Values of a JSON body. */
export const valueShapes: readonly Shape[] = [
  ...denseShapes,
  ...written.map((unit) => run(unit, '"', '"')),
  run('9'),
  run('0', '0.', '1'),
  run('9', '-0.'),
  run('0', '1.'),
  run('0', '1e'),
  run(' ', '[', '1.0]'),
  ...['-0', '[]', 'null', 'true', '"a"', '"1e1"', '{"a":1.0}', '[[1.0]]'].map(listOf),
  run('"a":{"b":[1e1]},', '{', '"a":{}}'),
  run('"__proto_":1,', '{', '"constructor":1}'),
  (size) => `{${Array.from({ length: Math.floor(size / 12) }, (_, n) => `"~/${n}":{}`).join()}}`,
  (size) => `{"${longName(size)}":${listOf('1e1')((size * 3) / 4)}}`,
  (size) => `{"${longName(size)}":${run('{},', '[', '"x"]')((size * 3) / 4)}}`,
  (size) => `${'{"~~~~~~~~":'.repeat(60)}${listOf('1e1')(size)}${'}'.repeat(60)}`,
  (size) => `${'['.repeat(60)}${listOf('4.10')(size)}${']'.repeat(60)}`,
];

const inMutation = (unit: string): Shape =>
  run(unit, 'mutation { sendParcel(command: { labels: ', ' }) { price } }');

/** GraphQL documents. */
export const documentShapes: readonly Shape[] = [
  ...textShapes('{ service'),
  ...[
    '{',
    '[',
    '(',
    '"""',
    '\\',
    'a ',
    'service ',
    'a:service ',
    '...a ',
    '... on Query{service}',
    '@a ',
    '$a:',
    '#',
  ].flatMap((unit) => [run(unit), run(unit, '{ ', ' }'), run(unit, 'query ')]),
  run('a', '{ ', ' }'),
  run('fragment a on Query{service} ', '{ service } '),
  run('query{service} '),
  run('$a:Int ', 'query(', ') { service }'),
  (size) =>
    `{ service ${Array.from({ length: size / 24 }, (_, n) => `...f${n}`).join(' ')} } ${Array.from({ length: size / 60 }, (_, n) => `fragment f${n} on Query{...f${n + 1}}`).join(' ')}`,
  ...['[', '{a:', '1 ', '"a" ', '"\\\\" '].map(inMutation),
  run('a', 'mutation { sendParcel(command: { labels: """', '""" }) { price } }'),
  run('\n ', 'mutation { sendParcel(command: { labels: """', '""" }) { price } }'),
];
