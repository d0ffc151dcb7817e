import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { blocksOf, countsOf, treatmentOf } from './code-blocks.js';
import { writtenPages } from './written-pages.js';
import { typeErrorsIn } from './typescript-blocks.js';

const test = suite('blocks of the documentation');

const pages = await writtenPages();

const blocks = pages.flatMap(({ path, text }) => blocksOf(path, text));

const of = (treatment: ReturnType<typeof treatmentOf>) =>
  blocks.filter((block) => treatmentOf(block) === treatment);

test('every block is type-checked, run, or marked as impossible here', () => {
  console.log(`blocks: ${countsOf(blocks)}`);
  assert.equal(
    of('unhandled').map(({ page, line, language }) => `${page}:${line} ${language}`),
    [],
  );
  assert.ok(of('checked').length > 20 && of('run').length > 5);
});

test('TypeScript in the documentation compiles against the package', () =>
  withFolder(async (folder) => {
    assert.equal(await typeErrorsIn(of('checked'), folder), []);
  }));
