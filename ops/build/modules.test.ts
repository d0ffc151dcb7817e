import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { compileModules } from './modules.js';

const test = suite('compiled modules');

const source = 'contracts/greeting.ts';

const withProject = (
  body: (project: {
    readonly root: string;
    save(path: string, text: string, at?: Date): Promise<void>;
    compiled(): Promise<string>;
  }) => Promise<void>,
): Promise<void> =>
  withFolder(async (root) => {
    const save = async (path: string, text: string, at = new Date(Date.now() - 60_000)) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
      await utimes(join(root, path), at, at);
    };
    for (const path of ['tsconfig.json', 'package-lock.json']) await save(path, '{}');
    await save('package.json', '{ "version": "1.0.0" }');
    for (const path of ['index.ts', 'ops/build/modules.ts']) await save(path, 'export {};');
    await save(source, "export const greeting = 'hello';");
    const compiled = async () => {
      await compileModules(root);
      return readFile(join(root, 'build/contracts/greeting.js'), 'utf8');
    };
    await body({ root, save, compiled });
  });

test('a source that is saved while modules are compiled is compiled the next time', () =>
  withProject(async ({ root, save, compiled }) => {
    assert.match(await compiled(), 'hello');
    const { mtimeMs } = await stat(join(root, 'build/contracts/greeting.js'));
    await save(source, "export const greeting = 'good day';", new Date(mtimeMs - 1));
    assert.match(await compiled(), 'good day');
  }));

test('a module that has not changed is not compiled again', () =>
  withProject(async ({ root, compiled }) => {
    await compiled();
    const script = join(root, 'build/contracts/greeting.js');
    const { mtimeMs } = await stat(script);
    await compiled();
    assert.is((await stat(script)).mtimeMs, mtimeMs);
  }));
