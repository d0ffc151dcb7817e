import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { changedSources, touched } from './changed.js';

const test = suite('changed');

test('what differs from a commit is named, also what git does not know, but not what it ignores', () =>
  withFolder(async (folder) => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
    const write = (name: string, text: string) => writeFile(join(folder, name), text);
    git('init', '-q');
    await write('.gitignore', 'dist\n');
    for (const name of ['a.ts', 'b.ts', 'c.ts']) await write(name, '1');
    git('add', '.');
    git('commit', '-qm', 'first');
    await write('a.ts', '2');
    git('commit', '-qam', 'second');
    await write('b.ts', '2');
    await write('new file.ts', '1');
    await write('dist', '1');
    assert.equal(await changedSources(folder, 'HEAD'), ['b.ts', 'new file.ts']);
    assert.equal(await changedSources(folder, 'HEAD~1'), ['a.ts', 'b.ts', 'new file.ts']);
    assert.is(await changedSources(folder, 'nonsense'), undefined);
    assert.is(await changedSources(folder, '--output=x'), undefined);
  }));

test('a source touches the file it is built to; what no import reaches is named', () => {
  const imports = new Map([
    ['a.js', []],
    ['page.js', []],
  ]);
  const { files, unknown } = touched(['a.ts', 'package.json', 'page.tsx', 'tsconfig.json'], imports);
  assert.equal([...files], ['a.js', 'page.js']);
  assert.equal(unknown, ['package.json', 'tsconfig.json']);
});

test('a file of the schema touches the module that it is built into', () => {
  const module = 'runtime/schema/generated/files.js';
  const { files, unknown } = touched(['runtime/schema/080-commit.sql'], new Map([[module, []]]));
  assert.equal([[...files], unknown], [[module], []]);
});

test('a source or a style sheet of a page touches the page, and a file of an example the example', () => {
  const page = 'ops/console/page';
  const shared = 'endpoints/http/page-base.css';
  const imports = new Map([
    [page, [shared]],
    ['examples/helpdesk', ['examples/helpdesk/main.js']],
    ['examples/helpdesk/main.js', []],
  ]);
  const sources = ['main.tsx', 'style/all.css', 'index.html'].map((name) => `${page}/${name}`);
  assert.equal(touched([...sources, shared], imports), { files: new Set([page, shared]), unknown: [] });
  const ofExample = ['examples/helpdesk/main.ts', 'examples/helpdesk/page/index.html'];
  assert.equal([...touched(ofExample, imports).files], ['examples/helpdesk/main.js', 'examples/helpdesk']);
});
