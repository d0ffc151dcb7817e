import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { repository } from './reference-pages.js';

const test = suite('README');

const text = readFileSync(join(repository, 'README.md'), 'utf8');

test('it can be read in five minutes: at most 1,000 words', () => {
  const words = text.split(/\s+/).length;
  assert.ok(words <= 1_000, `${words} words`);
});

test('each link to a file of the repository leads to one', () => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
  assert.ok(links.length > 20);
  assert.equal(
    links.filter((path) => !existsSync(join(repository, path))),
    [],
  );
});

test('it shows the console, light and dark, in pictures below 200 kB', () => {
  const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(pictures, ['docs/public/console-dark.png', 'docs/public/console-light.png']);
  for (const path of pictures) assert.ok(statSync(join(repository, path)).size < 200_000, path);
});
