import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { apply, edits, untouched } from './testing/edits.js';

const test = suite('the generator');

const info = { title: 'orders', version: '1.0.0' };
const sources = Object.fromEntries(untouched.map(({ file, text }) => [file, text ?? '']));

/** Files when all is well, mistakes when not. */
const outcome = (generator: Generator) => {
  const generated = generator.run();
  return generated.ok ? generated.files : generated.diagnostics;
};

test('an unchanged tree is generated twice from the same findings', () =>
  withSources(sources, (dir) => {
    const generator = new Generator(dir, info);
    const first = generator.run();
    assert.ok(first.ok, JSON.stringify(first));
    assert.equal(generator.run(), first);
  }));

test('after any edit a running generator says what a fresh one would', () =>
  fc.assert(
    fc.asyncProperty(edits, (list) =>
      withSources(sources, async (dir) => {
        const running = new Generator(dir, info);
        running.run();
        running.rehearse();
        for (const edit of list) {
          await apply(edit, dir);
          assert.equal(outcome(running), outcome(new Generator(dir, info)));
        }
      }),
    ),
    { numRuns: 12, interruptAfterTimeLimit: 30_000 },
  ));

test.run();
