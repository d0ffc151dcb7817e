import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lineage, mayPass, reaches } from './reach.js';
import { withFolder } from './temporary-folder.js';

const test = suite('reach');
const server = { uid: 101, gid: 104 };

test('a folder that others may enter can be passed', () => {
  assert.ok(mayPass(server, { uid: 0, gid: 0, mode: 0o755 }));
  assert.ok(mayPass(server, { uid: 0, gid: 0, mode: 0o711 }));
  assert.not(mayPass(server, { uid: 0, gid: 0, mode: 0o754 }));
});

test('a private folder can be passed by its owner and by its group', () => {
  assert.ok(mayPass(server, { uid: 101, gid: 0, mode: 0o700 }));
  assert.ok(mayPass(server, { uid: 0, gid: 104, mode: 0o710 }));
});

test('an owner who shut himself out does not pass as one of the others', () => {
  assert.not(mayPass(server, { uid: 101, gid: 0, mode: 0o077 }));
});

test('one private folder on the way is enough to be out of reach', () =>
  withFolder(async (folder) => {
    const inner = join(folder, 'private', 'open');
    await mkdir(inner, { recursive: true });
    const stranger = { uid: 4_000_000, gid: 4_000_000 };
    assert.ok(await reaches(stranger, inner));
    await chmod(join(folder, 'private'), 0o700);
    assert.not(await reaches(stranger, inner));
    assert.ok(await reaches(undefined, inner));
  }));

test('the way to a folder begins at the root', () => {
  assert.equal(lineage('/srv/orders/.svc'), ['/', '/srv', '/srv/orders', '/srv/orders/.svc']);
});

test.run();
