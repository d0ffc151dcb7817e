import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { exportedNames, withImports } from './block-imports.js';

const test = suite('imports of a block');

const importable = [
  ['svc-runtime', ['Command', 'Uuid', 'receptor']],
  ['./order.js', ['mustNotBe', 'Command']],
] as const;

test('a block without imports gets those of the names it uses, the package first', () => {
  assert.is(
    withImports('class Ship extends Command {\n  id!: Uuid;\n}\nmustNotBe();\n', importable),
    `import { Command, Uuid } from 'svc-runtime';import { mustNotBe } from './order.js';class Ship extends Command {\n  id!: Uuid;\n}\nmustNotBe();\n`,
  );
});

test('names that it declares, and members of that name, are its own', () => {
  const text = 'class Command {}\nconst a = b.receptor;\n';
  assert.is(withImports(text, importable), text);
});

test('a block with an import stays as it is', () => {
  const text = `import { a } from './a.js';\nnew Command();\n`;
  assert.is(withImports(text, importable), text);
});

test('lists and declarations export names', () => {
  const source = `export { type A, b } from './x.js';\nexport type { C } from './y.js';
export abstract class D {}\nexport const e = 1;\nconst f = 2;\nexport * as codec from './z.js';\n`;
  assert.equal(exportedNames(source), ['A', 'b', 'C', 'D', 'e']);
});
