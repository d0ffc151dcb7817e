import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { statedIn } from './generator-diagnostics-page.js';
import { commentsIn, phrases, proseOf, shownTextsIn, refusedIn, worstPhrases } from './plain-words.js';
import { repository } from './reference-pages.js';
import { writtenPages } from './written-pages.js';

const test = suite('plain words');

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
