import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { printToStderr, printToStdout } from './print.js';
import { svc } from './testing/spawned-host.js';

const test = suite('print');

type Print = typeof printToStdout;

const built = fileURLToPath(new URL('./', import.meta.url));

test('no verb writes to the terminal by any other function', async () => {
  const folders = ['.', 'commands', 'host', 'monitor', 'supervise'];
  const found: string[] = [];
  for (const folder of folders)
    for (const name of await readdir(join(built, folder))) {
      if (!name.endsWith('.js') || name.includes('.test.') || name === 'print.js') continue;
      const text = await readFile(join(built, folder, name), 'utf8');
      if (/process\.std(?:out|err)\.write\(|console\.(?:log|error)\(/.test(text)) found.push(name);
    }
  assert.equal(found, []);
});

test('control characters of an argument are escaped', async () => {
  const { stderr } = await svc(['\u001b[2Jstart']);
  assert.is(stderr, String.raw`svc: There is no verb '\u001b[2Jstart'; run svc to list the verbs.` + '\n');
});

for (const [name, print] of Object.entries({ stdout: printToStdout, stderr: printToStderr }) as [
  'stdout',
  Print,
][])
  test(`control characters of received text are escaped on ${name}`, () => {
    const stream = process[name];
    const before = stream.write;
    const written: unknown[] = [];
    stream.write = (text) => written.push(text) > 0;
    try {
      print('a\u001b[2Jb\n');
    } finally {
      stream.write = before;
    }
    assert.equal(written, [String.raw`a\u001b[2Jb` + '\n']);
  });
