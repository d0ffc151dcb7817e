import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { versionOf, watchGeneratedFile, watchSources } from './watch-sources.js';

const test = suite('watched sources');

interface Watched {
  /** Changes the tree, and returns whether the change was noticed. */
  notices(act: () => void): Promise<boolean>;
  /** The same for changes that must not be noticed. */
  ignores(act: () => void): Promise<boolean>;
  path(...parts: string[]): string;
}

/** After this long without a report, a change has nothing more to report. */
const quietMs = 150;

async function watching(body: (watched: Watched) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'svc-watch-'));
  for (const folder of ['src', 'src/generated', 'node_modules/left'])
    mkdirSync(join(root, folder), { recursive: true });
  let notices = 0;
  /** Counted in small pauses: a machine that stalls for one of them reads what has changed in the next. */
  const noticedWithin = (ms: number, before: number): Promise<boolean> =>
    until(() => notices > before, ms).then(
      () => true,
      () => false,
    );
  const stop = watchSources(root, () => notices++);
  try {
    await body({
      path: (...parts) => join(root, ...parts),
      notices: async (act) => {
        const before = notices;
        act();
        const seen = await noticedWithin(10_000, before);
        while (await noticedWithin(quietMs, notices));
        return seen;
      },
      ignores: async (act) => {
        const before = notices;
        act();
        return !(await noticedWithin(2 * quietMs, before));
      },
    });
  } finally {
    stop();
    rmSync(root, { recursive: true });
  }
}

test('a source that is written, changed, renamed or removed is noticed', () =>
  watching(async ({ notices, path }) => {
    const [file, other] = [path('src', 'a.ts'), path('src', 'b.ts')];
    assert.ok(await notices(() => writeFileSync(file, '1')));
    assert.ok(await notices(() => writeFileSync(file, '2')));
    assert.ok(await notices(() => renameSync(file, other)));
    assert.ok(await notices(() => rmSync(other)));
  }));

test('a new folder is watched with its content, and a removed folder is noticed', () =>
  watching(async ({ notices, path }) => {
    assert.ok(await notices(() => mkdirSync(path('src', 'orders', 'cancel'), { recursive: true })));
    assert.ok(await notices(() => writeFileSync(path('src', 'orders', 'cancel', 'a.ts'), '1')));
    assert.ok(await notices(() => rmSync(path('src', 'orders'), { recursive: true })));
    assert.ok(await notices(() => mkdirSync(path('src', 'orders'))));
    assert.ok(await notices(() => writeFileSync(path('src', 'orders', 'a.ts'), '1')));
  }));

test('a folder that replaces another is watched in its place', () =>
  watching(async ({ notices, path }) => {
    const replace = (): void => {
      rmSync(path('src', 'orders'), { recursive: true });
      mkdirSync(path('src', 'orders'));
    };
    const swap = (): void => {
      renameSync(path('src', 'orders'), path('aside'));
      renameSync(path('src', 'stock'), path('src', 'orders'));
      renameSync(path('aside'), path('src', 'stock'));
    };
    assert.ok(await notices(() => mkdirSync(path('src', 'orders'))));
    assert.ok(await notices(replace));
    assert.ok(await notices(() => writeFileSync(path('src', 'orders', 'a.ts'), '1')));
    assert.ok(await notices(() => mkdirSync(path('src', 'stock'))));
    assert.ok(await notices(swap));
    assert.ok(await notices(() => writeFileSync(path('src', 'orders', 'b.ts'), '1')));
    assert.ok(await notices(() => rmSync(path('src', 'orders'), { recursive: true })));
    assert.ok(await notices(() => writeFileSync(path('src', 'stock', 'b.ts'), '1')));
  }));

test('a changed package.json or tsconfig.json and removed generated files are noticed', () =>
  watching(async ({ notices, ignores, path }) => {
    assert.ok(await notices(() => writeFileSync(path('tsconfig.json'), '{}')));
    assert.ok(await notices(() => writeFileSync(path('package.json'), '{}')));
    assert.ok(await notices(() => rmSync(path('src', 'generated'), { recursive: true })));
    assert.ok(await ignores(() => mkdirSync(path('src', 'generated'))));
  }));

test('generated files, installed files and files that are not sources are ignored', () =>
  watching(async ({ notices, ignores, path }) => {
    assert.ok(await ignores(() => writeFileSync(path('src', 'generated', 'a.ts'), '1')));
    assert.ok(await ignores(() => writeFileSync(path('node_modules', 'left', 'a.ts'), '1')));
    assert.ok(await ignores(() => writeFileSync(path('src', 'a.txt'), '1')));
    assert.ok(await ignores(() => symlinkSync(path('src', 'loop'), path('src', 'loop'))));
    assert.ok(await notices(() => writeFileSync(path('src', 'a.ts'), '1')));
  }));

test('a generated file that was written before the watch, but after it was read, is noticed', () =>
  watching(async ({ path }) => {
    const file = path('src', 'generated', 'events.json');
    writeFileSync(file, '{}');
    const read = versionOf(file);
    writeFileSync(file, '{ "accepted": true }');
    let times = 0;
    const stop = watchGeneratedFile(file, () => times++, read);
    try {
      await until(() => times === 1);
    } finally {
      stop();
    }
  }));

test('a generated file that another process writes is noticed once, also if it is new', () =>
  watching(async ({ path }) => {
    const file = path('src', 'generated', 'events.json');
    let times = 0;
    const stop = watchGeneratedFile(file, () => times++);
    try {
      writeFileSync(file, '{}');
      await until(() => times === 1);
      writeFileSync(file, '{ }');
      await delay(2 * quietMs);
      assert.is(times, 1);
    } finally {
      stop();
    }
  }));
