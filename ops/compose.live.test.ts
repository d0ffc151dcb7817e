import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { program } from '../runtime/testing/installed-program.js';
import { withFolder } from '../runtime/testing/temporary-folder.js';

const test = suite('the programs of ops/compose.yaml');

const folder = fileURLToPath(new URL('../../ops/compose/', import.meta.url));
const run = promisify(execFile);

test('HAProxy accepts its configuration', async () => {
  const { stdout, stderr } = await run(await program('haproxy'), ['-c', '-f', join(folder, 'haproxy.cfg')]);
  assert.match(stdout + stderr, 'Configuration file is valid');
});

test('NATS accepts its configuration', () =>
  withFolder(async (temporary) => {
    const text = await readFile(join(folder, 'nats.conf'), 'utf8');
    assert.match(text, 'sync_interval: always');
    const path = join(temporary, 'nats.conf');
    // Debian's server is older than this setting.
    await writeFile(path, text.replace('sync_interval: always', '').replace('/data', temporary));
    const { stdout, stderr } = await run(await program('nats-server'), ['-t', '-c', path]);
    assert.match(stdout + stderr, 'is valid');
  }));

test.run();
