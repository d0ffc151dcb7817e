import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { command } from './testing/diagnose.js';
import { apply, edits, untouched } from './testing/source-edits.js';

const test = suite('generator');

const info = { title: 'orders', version: '1.0.0' };
const sources = Object.fromEntries(untouched.map(({ file, text }) => [file, text ?? '']));

/** The files without mistakes, otherwise the mistakes. */
const outcome = (generator: Generator) => {
  const generated = generator.run();
  return generated.ok ? generated.files : generated.diagnostics;
};

test('an unchanged tree is generated again from the same findings', () =>
  withSources(sources, (dir) => {
    const generator = new Generator(dir, info);
    const first = generator.run();
    assert.ok(first.ok, JSON.stringify(first));
    assert.equal(generator.run(), first);
  }));

for (const options of ['', '{}', '{ restRoute: null, graphQLMutation: null }']) {
  test(`a command marked with (${options}) has a receptor and no endpoint`, () =>
    withSources({ 'ping.ts': command('Ping', options, 'id!: Uuid;') }, (dir) => {
      const generated = new Generator(dir, info).run();
      assert.ok(generated.ok, JSON.stringify(generated));
      const texts = new Map(generated.files.map(({ path, text }) => [path, text]));
      assert.not.ok([...texts.keys()].some((path) => path.includes('endpoint')));
      const registry = texts.get('generated/registry.ts') ?? '';
      assert.match(registry, /endpoints: \[\],/);
      assert.match(registry, /receptor<Ping, void>\(Ping, new PingReceptor\(\)\)/);
      assert.not.match(texts.get('generated/client.ts') ?? '', /Ping|ping/);
      assert.not.match(texts.get('generated/codecs.ts') ?? '', /Ping/);
      assert.not.match(texts.get('generated/openapi.json') ?? '', /Ping/);
    }));
}

test('after any edit a running generator gives the result of a new one', () =>
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
    seedsWithin(3, 12, 30_000),
  ));
