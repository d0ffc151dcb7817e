import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { findPlatformPackage, prepareBinaries } from './binaries.js';
import { createCluster, urlOf } from './cluster.js';
import { openHome } from './server-home.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('cluster');

test('a new cluster requires a password that only our user can read', () =>
  withFolder(async (dataDir) => {
    const home = await openHome(dataDir);
    const binaries = await prepareBinaries(await findPlatformPackage(), home);
    await createCluster(home, binaries, { password: 'open sesame', fsync: false });
    assert.is(await urlOf(home, 54_999), 'postgres://svc:open%20sesame@127.0.0.1:54999/svc');
    assert.is((await stat(join(home.folder, 'password'))).mode & 0o777, 0o600);
    assert.is((await stat(home.cluster)).mode & 0o777, 0o700);
    const rules =
      (await readFile(join(home.cluster, 'pg_hba.conf'), 'utf8')).match(/^(local|host).*$/gm) ?? [];
    assert.ok(rules.length > 0 && rules.every((rule) => rule.endsWith('scram-sha-256')));
    assert.equal((await readdir(home.folder)).toSorted(), ['cluster', 'password']);
  }));
