import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { svc, withListening } from '../testing/spawned-host.js';
import { withDataDir, postmasterOf } from '../testing/embedded-host.js';

const test = suite('host process with its own PostgreSQL');

/** Notes where it finds the database when it is imported, and whether the database is there when it is stopped. */
const curious = `
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
const note = (line) => appendFileSync(new URL('./notes', import.meta.url), line + '\\n');
const { DATABASE_URL = 'none', DATABASE_OWNER_URL = 'none' } = process.env;
note(DATABASE_URL === 'none' ? 'none' : new URL(DATABASE_URL).username + ' ' + new URL(DATABASE_OWNER_URL).username);
const reachable = () => new Promise((resolve) => {
  const socket = connect(Number(new URL(DATABASE_URL).port), '127.0.0.1');
  socket.once('connect', () => resolve(socket.destroy() && 'stopped before the database'));
  socket.once('error', () => resolve('stopped after the database'));
});
export default {
  name: 'curious',
  create: () => ({ endpoints: [], receptors: [] }),
  stop: async () => note(await reachable()),
};`;

test('code of an application finds the embedded database wherever it runs, and may close its connections first', () =>
  withDataDir(async (dataDir) => {
    const app = join(dataDir, 'app.js');
    const notes = join(dataDir, 'notes');
    await writeFile(app, curious);
    await writeFile(join(dataDir, 'package.json'), '{ "type": "module" }');
    const env = { SVC_DATA_DIR: join(dataDir, '.svc') };
    await withListening(['start', app], env, async (host) => {
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
    });
    assert.is((await svc(['migrate', app], env)).code, 0);
    assert.is((await svc(['check', 'pre', app], env)).code, 0);
    const once = ['svc_login svc', 'stopped before the database'];
    assert.equal((await readFile(notes, 'utf8')).trim().split('\n'), [...once, ...once, ...once]);
    assert.is(await postmasterOf(join(dataDir, '.svc')), undefined);
  }));
