import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { repository } from './reference-pages.js';
import { writtenPages } from './written-pages.js';

const test = suite('links between pages');

/** A heading as the site names it in an address. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const pages = new Map((await writtenPages()).map(({ path, text }) => [path, text]));

/** Without blocks of code, in which a hash starts a comment. */
const proseOf = (text: string): string => text.replace(/^```[^]*?^```$/gm, '');

const headingsOf = (text: string): readonly string[] =>
  [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));

test('a link to a page, or to a heading of it, leads there', () => {
  const broken: string[] = [];
  for (const [path, text] of pages) {
    for (const [, target = ''] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      if (/^[a-z]+:|^\/|reference\//.test(target) || !/^$|\.md$/.test(file)) continue;
      const found = file === '' ? path : posix.join(posix.dirname(path), file);
      const page = pages.get(found);
      if (page === undefined && path.startsWith('docs/')) broken.push(`${path}: ${target}`);
      if (page !== undefined && anchor !== undefined && !headingsOf(page).includes(anchor))
        broken.push(`${path}: ${target}`);
    }
  }
  assert.equal(broken, []);
});

test('a file of ours that a page names is there', () => {
  const files = new Set(
    ['contracts', 'runtime', 'actors', 'endpoints', 'ops'].flatMap((room) =>
      readdirSync(join(repository, room), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${room}/${path}`,
      ),
    ),
  );
  const named = [...pages].flatMap(([page, text]) =>
    [...proseOf(text).matchAll(/`((?:contracts|runtime|actors|endpoints|ops)\/[\w./-]+?)\/?`/g)].map(
      ([, path = '']) => ({ page, path }),
    ),
  );
  assert.ok(named.length > 40);
  assert.equal(
    named.filter(({ path }) => !files.has(path)),
    [],
  );
});

test('a heading has the name that the site gives it', () => {
  assert.is(slugOf('What it promises, exactly'), 'what-it-promises-exactly');
  assert.is(slugOf('`configure`'), 'configure');
  assert.is(slugOf('Without `svc`'), 'without-svc');
});
