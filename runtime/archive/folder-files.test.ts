import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../kit/temporary-folder.js';
import { folderFiles } from './folder-files.js';

const test = suite('archives in a folder');

test('a file is stored whole in new folders, replaces an earlier one, never one that a link leads to, and is refused if it is too large, or not a file', () =>
  withFolder(async (folder) => {
    const files = folderFiles(join(folder, 'a', 'b'));
    assert.is(await files.get('store/0-10/x.part', 10), undefined);
    await files.put('store/0-10/x.part', Buffer.from('one'));
    writeFileSync(join(folder, 'elsewhere'), 'kept');
    symlinkSync(join(folder, 'elsewhere'), join(files.location, 'store/0-10/x.part.tmp'));
    await files.put('store/0-10/x.part', Buffer.from('two'));
    assert.is(String(await files.get('store/0-10/x.part', 3)), 'two');
    assert.equal(readdirSync(join(files.location, 'store/0-10')), ['x.part']);
    assert.is(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'kept');
    const tooLarge = await files.get('store/0-10/x.part', 2).catch((error: unknown) => String(error));
    assert.match(String(tooLarge), 'has 3 bytes; at most 2 are expected');
    symlinkSync('/dev/zero', join(files.location, 'store/0-10/y.part'));
    const endless = await files.get('store/0-10/y.part', 10).catch((error: unknown) => String(error));
    assert.match(String(endless), 'is not a file');
  }));

test('a folder that cannot be written or read is named, with what to do', () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'file'), '');
    const inFile = folderFiles(join(folder, 'file'));
    const written = await inFile.put('a', Buffer.from('')).catch((error: unknown) => String(error));
    assert.match(
      String(written),
      /file cannot be written: E[^\n]+\. Correct that, or give another place, and/,
    );
    // Even root makes no folder there.
    const nowhere = await folderFiles('/proc/archive').put('a/b', Buffer.from('')).catch(String);
    assert.match(String(nowhere), /archive cannot be written: E/);
    symlinkSync('loop', join(folder, 'loop'));
    const read = await folderFiles(folder)
      .get('loop', 1)
      .catch((error: unknown) => String(error));
    assert.match(String(read), /cannot be read: ELOOP/);
  }));
