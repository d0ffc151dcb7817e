import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { statedIn } from './generator-diagnostics-page.js';
import { repository } from './reference-pages.js';
import { writtenPages } from './written-pages.js';

const test = suite('plain words');

/** A phrase that makes a reader stumble, and what to write. */
interface Phrase {
  readonly pattern: RegExp;
  readonly write: string;
}

/** Refused everywhere, in comments too. */
const worstPhrases: readonly Phrase[] = [
  {
    pattern: /\b(?:stands?|stood) (?:in|as|beside|behind|aside|at|there|before|below|open)\b/i,
    write: 'is in, appears in, is set aside',
  },
  { pattern: /\bholds that\b/i, write: 'enforces this' },
  { pattern: /\b(?:go|goes|going|gone|went) on\b/i, write: 'continues' },
  { pattern: /\b(?:believe|believes|believed|believing)\b/i, write: 'trusts, accepts' },
  { pattern: /\b(?:is|are|was|were) (?:not )?to be had\b/i, write: 'is available' },
];

/** Refused in pages, help texts, problems and diagnostics. */
const phrases: readonly Phrase[] = [
  ...worstPhrases,
  { pattern: /\b(?:stands?|stood) (?:for|still)\b/i, write: 'represents, is; hangs' },
  {
    pattern: /(?<!\b(?:there|it|that|what)) (?:is|are|was|were) no (?!longer|more|less|better)\b/i,
    write: 'is not a',
  },
  { pattern: /\b(?:is|are) asked (?:first|about)\b/i, write: 'is checked first' },
  { pattern: /(?:^|[.;] )Who (?!is|may|can|are|has|does|did)[^?.]*\.(?:\s|$)/, write: 'Anyone who' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: 'correct, repair' },
  { pattern: /\bturned round\b/i, write: 'swapped' },
  { pattern: /\bof a store whose\b/i, write: 'if the key of a store' },
  { pattern: /(?<!\b(?:there|that)) (?:is|are) none(?! of)\b/i, write: 'is not one' },
  { pattern: /\bend(?:s)? again and again\b/i, write: 'keeps crashing' },
  { pattern: /\bsays? how to follow\b/i, write: 'explains how to migrate' },
  { pattern: /\bcost(?:s)? as those of\b/i, write: 'costs no more than' },
  { pattern: /\bare never a crowd\b/i, write: 'are always served' },
  { pattern: /\bby its head alone\b/i, write: 'if the headers suffice' },
];

/** What `refused` finds in a text, each with a better wording. */
const refusedIn = (text: string, refused: readonly Phrase[]): readonly string[] =>
  refused.flatMap(({ pattern, write }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [`'${found[0].trim()}': write '${write}'`];
  });

/** The prose of a page: without front matter marks, blocks of code, code in a line, and comments. */
const proseOf = (page: string): string =>
  page
    .replaceAll(/^( *)```[^]*?^\1```$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/`[^`]*`/g, '`…`');

const shown = /\b(?:detail|title|summary|usage|help|text)(?::| =)\s*(`[^`]*`|'[^'\n]*'|"[^"\n]*")/g;

/** The texts in a source that users read: help, titles and details of problems. */
const shownTextsIn = (source: string): readonly string[] =>
  [...source.matchAll(shown)].map(([, text = '']) => text.slice(1, -1));

/** The lines of a source that are comments, or end with one. */
const commentsIn = (source: string): readonly string[] =>
  source.split('\n').flatMap((line) => /(?:^|\s)(?:\/\/|\/?\*\*?) (.+)$/.exec(line)?.[1] ?? []);

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

const folders = ['contracts', 'runtime', 'actors', 'endpoints', 'ops', 'examples'];
const isSource = (path: string): boolean =>
  path.endsWith('.ts') && !/(?:^|\/)(?:node_modules|generated|dist|\.svc)\//.test(path);
const sources: readonly string[] = folders.flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((path) => `${folder}/${path}`),
);
const products = sources.filter(
  (path) => !/\.test\.ts$|\/testing\/|^ops\/(?:bench|chaos|docs|test)\//.test(path),
);

const besides = [
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/helpdesk/README.md',
  'examples/orders/README.md',
  'examples/two-services/README.md',
  'ops/create/README.md',
  'ops/create/template/README.md',
];

test('pages are written in the usual words', async () => {
  const pages = [...(await writtenPages()), ...besides.map((path) => ({ path, text: read(path) }))];
  assert.equal(
    pages.flatMap(({ path, text }) =>
      paragraphsOf(text).flatMap((each) => refusedIn(each, phrases).map((found) => `${path}: ${found}`)),
    ),
    [],
  );
});

const paragraphsOf = (text: string): readonly string[] =>
  proseOf(text)
    .split(/\n{2,}|\n(?=\s*(?:[-*|#]|\d+\.) ?)/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());

test('so are help texts, problems and diagnostics', () => {
  const found = products.flatMap((path) => {
    const source = read(path);
    const diagnostics = path.startsWith('endpoints/generator/')
      ? statedIn(path, source).map(({ message }) => message)
      : [];
    return [...shownTextsIn(source), ...diagnostics].flatMap((text) =>
      refusedIn(text, phrases).map((each) => `${path}: ${each}`),
    );
  });
  assert.equal(found, []);
});

test('comments avoid the worst of the refused phrases', () => {
  const found = sources
    .filter((path) => !path.startsWith('ops/docs/plain-words'))
    .flatMap((path) =>
      commentsIn(read(path)).flatMap((line) =>
        refusedIn(line, worstPhrases).map((each) => `${path}: ${each}`),
      ),
    );
  assert.equal(found, []);
});

for (const text of [
  'The key stands in the log.',
  'A test holds that.',
  'No other is believed.',
  'It goes on.',
])
  test(`'${text}' is refused`, () => {
    assert.is(refusedIn(text, worstPhrases).length, 1);
  });

test('code, names and questions are not prose', () => {
  assert.is(proseOf('a `goes on`\n```ts\nstands in\n```\n<!-- believed -->'), 'a `…`\n\n');
  assert.equal(refusedIn('Who sees what? There is no third way; it is no longer held.', phrases), []);
});
