import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withFolder } from '../kit/temporary-folder.js';
import { WitnessFile } from './witness-file.js';

const test = suite('witness file');

const seen = (position: number, epoch = 1) => ({ epoch, position, eventId: newUuid() });

test('what the hosts of a machine have seen of a store is read by each of them, oldest first', () =>
  withFolder(async (folder) => {
    const [store, other] = [newUuid(), newUuid()];
    const [first, second, later] = [seen(7), seen(5, 2), seen(9)];
    await new WitnessFile(folder, 'north').write(store, seen(3));
    await new WitnessFile(folder, 'north').write(store, first);
    await new WitnessFile(folder, 'south/../..').write(store, second);
    await new WitnessFile(folder, 'north').write(other, later);
    assert.equal(await new WitnessFile(folder, 'east').read(store), [first, second]);
  }));

test('a file that is damaged or made up counts for nothing', () =>
  withFolder(async (folder) => {
    const store = newUuid();
    const texts = ['', '{"epoch":1', 'null', '[]', '{"epoch":1,"position":-4,"eventId":"x"}'];
    const wrong = [{ ...seen(4), epoch: 0 }, { ...seen(4), epoch: 2 ** 40 }, { ...seen(4.5) }];
    for (const [n, text] of [
      ...texts,
      ...wrong.map((each) => JSON.stringify(each)),
      'x'.repeat(9_999),
    ].entries())
      await writeFile(join(folder, `${store}-${n}.json`), text);
    assert.equal(await new WitnessFile(folder, 'north').read(store), []);
  }));

test('a folder that cannot be used is no reason not to run, and is reported until it can', () =>
  withFolder(async (folder) => {
    const [file, store] = [join(folder, 'a-file'), newUuid()];
    await writeFile(file, '');
    const witness = new WitnessFile(join(file, 'witness'), 'north');
    assert.is(witness.failure, undefined);
    for (const each of [undefined, seen(1)]) {
      await witness.write(store, each);
      assert.match(witness.failure ?? '', 'ENOTDIR');
    }
    assert.equal(await witness.read(store), []);
    await rm(file);
    await witness.write(store, seen(2));
    assert.is(witness.failure, undefined);
  }));

test('a host that has seen nothing yet leaves no file', () =>
  withFolder(async (folder) => {
    const witness = new WitnessFile(folder, 'north');
    await witness.write(newUuid(), undefined);
    assert.equal([witness.failure, await readdir(folder)], [undefined, []]);
  }));

test('two processes of one host, as in a rolling restart, do not disturb each other', () =>
  withFolder(async (folder) => {
    const store = newUuid();
    const processes = [new WitnessFile(folder, 'north'), new WitnessFile(folder, 'north')];
    for (let n = 1; n <= 50; n++)
      await Promise.all(processes.map((witness) => witness.write(store, seen(n))));
    assert.equal(
      processes.map(({ failure }) => failure),
      [undefined, undefined],
    );
    assert.is((await readdir(folder)).length, 1);
  }));

test('what a process that died left unfinished is removed', () =>
  withFolder(async (folder) => {
    const store = newUuid();
    const path = join(folder, `${store}-0.json.${newUuid()}.new`);
    await writeFile(path, '{');
    const witness = new WitnessFile(folder, 'north');
    await witness.read(store);
    assert.is((await readdir(folder)).length, 1);
    await utimes(path, 1, 1);
    await witness.read(store);
    assert.equal(await readdir(folder), []);
  }));

test('hosts that are gone leave at most 64 files', () =>
  withFolder(async (folder) => {
    const [store, newest] = [newUuid(), seen(1_000)];
    await mkdir(folder, { recursive: true });
    for (let n = 0; n < 70; n++) {
      const path = join(folder, `${store}-${n}.json`);
      await writeFile(path, JSON.stringify(seen(n + 1)));
      await utimes(path, n, n);
    }
    await new WitnessFile(folder, 'north').write(store, newest);
    const read = await new WitnessFile(folder, 'north').read(store);
    assert.equal([read.length, read.at(-1), (await readdir(folder)).length], [64, newest, 64]);
  }));
