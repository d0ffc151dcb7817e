import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { loadService } from './load-service.js';

const test = suite('application');

const definition = "export default { name: 'shop', create: () => ({ endpoints: [], receptors: [] }) };";

/** A folder with these files, as the application. */
const withFiles = (files: Record<string, string>, body: (folder: string) => Promise<void>) =>
  withFolder(async (folder) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    await body(folder);
  });

const mistakeOf = async (app: string): Promise<string> => {
  const error: unknown = await loadService(app).catch((thrown: unknown) => thrown);
  assert.instance(error, Problem);
  const { message } = error as Problem;
  assert.is(message.includes('\n'), false, 'one line');
  return message.replace(app, 'APP');
};

test("a folder's package.json names the module", () =>
  withFiles({ 'package.json': '{"main":"built/shop.mjs"}', 'built/shop.mjs': definition }, async (folder) => {
    assert.is((await loadService(folder)).name, 'shop');
  }));

test('a syntax error is named with its file and line, also in a module that is imported', () =>
  withFiles(
    { 'shop.mjs': "import './cart.mjs';", 'cart.mjs': 'const a = 1;\nlet let = 2;' },
    async (folder) => {
      const mistake = await mistakeOf(join(folder, 'shop.mjs'));
      assert.match(mistake, /cannot be loaded: .* at .*cart\.mjs:2$/);
    },
  ));

test('a decorator that Node.js does not know is reported with the line of tsconfig.json to change', () =>
  withFiles({ 'shop.mjs': 'export default class Shop { @sensitive name = 1 }' }, async (folder) => {
    assert.match(await mistakeOf(join(folder, 'shop.mjs')), /shop\.mjs:1; decorators .*"target": "ES2022"/);
  }));

test('an application with a svc-runtime of its own is refused with the command to run', () =>
  withFiles(
    {
      'package.json': '{"main":"shop.mjs"}',
      'shop.mjs': definition,
      'node_modules/svc-runtime/package.json': '{"name":"svc-runtime","version":"0.0.1"}',
    },
    async (folder) => {
      const copy = await realpath(join(folder, 'node_modules/svc-runtime'));
      const mistake = await mistakeOf(folder);
      assert.ok(mistake.startsWith(`APP uses the svc-runtime in ${copy}, but this svc belongs to `), mistake);
      assert.match(mistake, /; run npx svc in the folder of the application\.$/);
    },
  ));

test('an application that is not built is reported with the command to run', () =>
  withFiles({ 'package.json': '{"main":"dist/main.js"}' }, async (folder) => {
    assert.is(
      await mistakeOf(folder),
      'APP is not built: there is no dist/main.js, which its package.json names in "main"; run npm run build.',
    );
  }));

test('a file is loaded as it is', () =>
  withFiles({ 'shop.mjs': definition }, async (folder) => {
    assert.is((await loadService(join(folder, 'shop.mjs'))).name, 'shop');
  }));

test('a folder that does not exist is reported by its name', async () => {
  assert.is(await mistakeOf('/no/such/shop'), 'There is no application at APP.');
});

test('a folder without package.json is reported', () =>
  withFiles({}, async (folder) => {
    assert.is(await mistakeOf(folder), 'APP has no package.json.');
  }));

for (const manifest of ['{}', '{"main":7}', 'not json']) {
  test(`package.json '${manifest}' names no module`, () =>
    withFiles({ 'package.json': manifest }, async (folder) => {
      assert.is(await mistakeOf(folder), 'APP/package.json names no built module in "main".');
    }));
}

test('a module that throws while it is loaded is reported with its reason', () =>
  withFiles({ 'shop.mjs': "throw new Error('no oven\\nat all');" }, async (folder) => {
    assert.match(await mistakeOf(join(folder, 'shop.mjs')), /^APP cannot be loaded: no oven$/);
  }));

test('a machine with an unknown target is reported with its state and the target', () =>
  withFiles(
    {
      'shop.mjs':
        "throw new Error('Invalid transition for state a:\\nChild state b does not exist\\nat all');",
    },
    async (folder) => {
      assert.match(
        await mistakeOf(join(folder, 'shop.mjs')),
        /^APP cannot be loaded: Invalid transition for state a: Child state b does not exist$/,
      );
    },
  ));

test('a module that is not JavaScript is reported', () =>
  withFiles({ 'shop.mjs': 'export default {' }, async (folder) => {
    assert.match(await mistakeOf(join(folder, 'shop.mjs')), /^APP cannot be loaded: /);
  }));

test('a problem raised while loading keeps its text', () =>
  withFiles(
    {
      'shop.mjs': `import { Problem } from '${new URL('../../contracts/problems.js', import.meta.url).href}'; throw new Problem('invalid-setup', { detail: 'The oven is cold.' });`,
    },
    async (folder) => {
      assert.is(await mistakeOf(join(folder, 'shop.mjs')), 'The oven is cold.');
    },
  ));

for (const source of [
  'export const shop = 1;',
  'export default null;',
  'export default () => undefined;',
  "export default { name: 'shop' };",
  'export default { create() {} };',
]) {
  test(`\`${source}\` exports no service definition`, () =>
    withFiles({ 'shop.mjs': source }, async (folder) => {
      assert.match(
        await mistakeOf(join(folder, 'shop.mjs')),
        /^APP has no service definition; its default export must be/,
      );
    }));
}
