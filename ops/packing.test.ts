import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';
import { npmEnvironment } from '../runtime/testing/npm-environment.js';
import { pack, repository, writeFiles } from './testing/packed-package.js';

const test = suite('packing');

test('npm pack builds first: without dist/ the package would be empty', () =>
  withFolder(async (folder) => {
    const { scripts, ...ours } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      readonly scripts: { readonly prepack?: string };
      readonly files: readonly string[];
      readonly version: string;
    };
    const build = `node -e "fs.mkdirSync('dist'); fs.writeFileSync('dist/built.js', '')"`;
    const { files, version } = ours;
    const manifest = { name: 'packed', version, files, scripts: { prepack: scripts.prepack, build } };
    await writeFiles(folder, { 'package.json': JSON.stringify(manifest) });
    const options = { cwd: folder, env: npmEnvironment(), encoding: 'utf8', stdio: 'pipe' } as const;
    const packed = execFileSync(
      'npm',
      ['pack', '--dry-run', '--json', '--foreground-scripts=false'],
      options,
    );
    assert.match(packed, '"path": "dist/built.js"');
  }));

test('packed, it weighs at most 1.9 MB, and 1.46 MB without source maps, its guides included', () =>
  withFolder(async (folder) => {
    const { files, tarball } = pack(folder);
    assert.ok(files.includes('dist/docs.txt.br'));
    const tar = (...args: readonly string[]) =>
      execFileSync('tar', [...args], { cwd: folder, maxBuffer: 16_000_000 });
    tar('-xzf', tarball);
    // As npm compresses it.
    const withoutMaps = gzipSync(tar('--exclude=*.map', '-cf', '-', 'package'), { level: 9 }).length;
    const { size } = await stat(tarball);
    assert.ok(size <= 1_900_000 && withoutMaps <= 1_460_000, `${size}, ${withoutMaps}`);
  }));
