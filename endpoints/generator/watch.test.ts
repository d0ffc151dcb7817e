import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchSources } from './watch.js';

const test = suite('watched sources');

interface Watched {
  /** Does something to the tree, and answers whether it was noticed. */
  isNoticed(act: () => void): Promise<boolean>;
  path(...parts: string[]): string;
}

/** Longer than any system takes to tell. */
const patienceMs = 400;
/** What comes later belongs to the next act. */
const settledMs = 60;

async function watching(body: (watched: Watched) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'svc-watch-'));
  for (const folder of ['src', 'src/generated', 'node_modules/left'])
    mkdirSync(join(root, folder), { recursive: true });
  let notice = (): void => undefined;
  const stop = watchSources(root, () => notice());
  try {
    await body({
      path: (...parts) => join(root, ...parts),
      isNoticed: async (act) => {
        const noticed = new Promise<boolean>((resolve) => (notice = () => resolve(true)));
        act();
        const seen = await Promise.race([noticed, delay(patienceMs, false)]);
        await delay(settledMs);
        return seen;
      },
    });
  } finally {
    stop();
    rmSync(root, { recursive: true });
  }
}

test('a source that is written, changed, renamed or removed is noticed', () =>
  watching(async ({ isNoticed, path }) => {
    const [file, other] = [path('src', 'a.ts'), path('src', 'b.ts')];
    assert.ok(await isNoticed(() => writeFileSync(file, '1')));
    assert.ok(await isNoticed(() => writeFileSync(file, '2')));
    assert.ok(await isNoticed(() => renameSync(file, other)));
    assert.ok(await isNoticed(() => rmSync(other)));
  }));

test('a new folder is watched with what is in it, and a folder that goes is noticed', () =>
  watching(async ({ isNoticed, path }) => {
    assert.ok(await isNoticed(() => mkdirSync(path('src', 'orders', 'cancel'), { recursive: true })));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'orders', 'cancel', 'a.ts'), '1')));
    assert.ok(await isNoticed(() => rmSync(path('src', 'orders'), { recursive: true })));
    assert.ok(await isNoticed(() => mkdirSync(path('src', 'orders'))));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'orders', 'a.ts'), '1')));
  }));

test('a folder that takes the place of another is watched instead of it', () =>
  watching(async ({ isNoticed, path }) => {
    const replace = (): void => {
      rmSync(path('src', 'orders'), { recursive: true });
      mkdirSync(path('src', 'orders'));
    };
    const swap = (): void => {
      renameSync(path('src', 'orders'), path('aside'));
      renameSync(path('src', 'stock'), path('src', 'orders'));
      renameSync(path('aside'), path('src', 'stock'));
    };
    assert.ok(await isNoticed(() => mkdirSync(path('src', 'orders'))));
    assert.ok(await isNoticed(replace));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'orders', 'a.ts'), '1')));
    assert.ok(await isNoticed(() => mkdirSync(path('src', 'stock'))));
    assert.ok(await isNoticed(swap));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'orders', 'b.ts'), '1')));
    assert.ok(await isNoticed(() => rmSync(path('src', 'orders'), { recursive: true })));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'stock', 'b.ts'), '1')));
  }));

test('a changed tsconfig.json is noticed, and that what was generated is gone', () =>
  watching(async ({ isNoticed, path }) => {
    assert.ok(await isNoticed(() => writeFileSync(path('tsconfig.json'), '{}')));
    assert.ok(await isNoticed(() => rmSync(path('src', 'generated'), { recursive: true })));
    assert.not(await isNoticed(() => mkdirSync(path('src', 'generated'))));
  }));

test('what is generated, installed or no source is left alone', () =>
  watching(async ({ isNoticed, path }) => {
    assert.not(await isNoticed(() => writeFileSync(path('src', 'generated', 'a.ts'), '1')));
    assert.not(await isNoticed(() => writeFileSync(path('node_modules', 'left', 'a.ts'), '1')));
    assert.not(await isNoticed(() => writeFileSync(path('src', 'a.txt'), '1')));
    assert.not(await isNoticed(() => symlinkSync(path('src', 'loop'), path('src', 'loop'))));
    assert.ok(await isNoticed(() => writeFileSync(path('src', 'a.ts'), '1')));
  }));

test.run();
