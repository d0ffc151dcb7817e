import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { consoleFiles } from './page-files.js';

const test = suite('console files');

const maxBytes = 90_000;

test('the whole page is at most 90 KB, gzipped', () => {
  const files = consoleFiles();
  const bytes = files.reduce((sum, { content }) => sum + gzipSync(content).length, 0);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  assert.ok(bytes > 10_000);
});

test('nothing in it requests another server', () => {
  const names = ['http://www.w3.org/'];
  for (const { path, content } of consoleFiles()) {
    const asked = content.toString().match(/(?:https?:)?\/\/[a-z][\w.-]+\.[a-z]{2,}[\w/.-]*/g) ?? [];
    const foreign = asked.filter((address) => !names.some((name) => address.startsWith(name)));
    assert.equal(foreign, [], path);
  }
});

test('the document has no inline script, style or handler', () => {
  const [page] = consoleFiles();
  assert.not.match(String(page?.content), /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
});
