import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { repository } from './docs/reference-pages.js';

const test = suite('security defaults');

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

test('SECURITY.md names tests for every default, and each one exists', () => {
  const [, section = ''] = /^## Defaults$(.*?)^## /ms.exec(read('SECURITY.md')) ?? [];
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:default |---)/.test(line));
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0, row);
    for (const file of files) assert.ok(existsSync(join(repository, file)), file);
  }
});

/** Time cannot be tested reliably, so this reads the sources. */
test('keys and tokens are compared in constant time', () => {
  for (const path of ['runtime/access/known-api-keys.ts', 'endpoints/access/tokens.ts'])
    assert.match(read(path), /timingSafeEqual\((?:given|digest), /, path);
  for (const folder of ['runtime/access', 'endpoints/access'])
    for (const name of readdirSync(join(repository, folder)))
      if (name.endsWith('.ts') && !name.endsWith('.test.ts'))
        assert.not.match(read(`${folder}/${name}`), /\.equals\(|digest\w*(?:\(\w*\))? [!=]== /i, name);
});
