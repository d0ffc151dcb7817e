import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { printResult, printToStderr, printToStdout } from './print.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('print');

type Print = typeof printToStdout;

const built = fileURLToPath(new URL('../', import.meta.url));

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
    assert.is(
      writtenTo(process[name], () => print('a\u001b[2Jb\n')),
      String.raw`a\u001b[2Jb` + '\n',
    );
  });

/** What a body writes to a stream. */
function writtenTo(stream: NodeJS.WriteStream, body: () => void): string {
  const before = stream.write;
  let written = '';
  stream.write = (text) => (written += String(text)) !== '';
  try {
    body();
  } finally {
    stream.write = before;
  }
  return written;
}

/** What is printed for a list, on a terminal or in a pipe. */
function listed(isTTY: boolean, json = false, noColor?: string): string {
  const { stdout, env } = process;
  const before = [stdout.isTTY, env['NO_COLOR'], env['TERM']] as const;
  [stdout.isTTY, env['TERM']] = [isTTY, 'xterm'];
  if (noColor === undefined) delete env['NO_COLOR'];
  else env['NO_COLOR'] = noColor;
  try {
    return writtenTo(stdout, () =>
      printResult([{ name: 'orders\u001b[2J', state: 'live' }], 'orders live', json),
    );
  } finally {
    [stdout.isTTY, env['NO_COLOR'], env['TERM']] = before;
    for (const name of ['NO_COLOR', 'TERM']) if (env[name] === 'undefined') delete env[name];
  }
}

test('a list has column heads on a terminal, in colors unless NO_COLOR is set', () => {
  const plain = 'NAME               STATE\norders\\u001b[2J    live\n';
  assert.is(listed(true, false, '1').replaceAll(/ +/g, ' '), plain.replaceAll(/ +/g, ' '));
  const [head = '', row = ''] = listed(true).split('\n');
  assert.ok(head.startsWith('\u001b[1mNAME\u001b[0m '), head);
  assert.ok(row.endsWith('\u001b[32mlive\u001b[0m'), row);
});

test('in a pipe a list is text as before, and with --json it is JSON everywhere', () => {
  assert.is(listed(false), 'orders live\n');
  for (const isTTY of [true, false]) assert.match(listed(isTTY, true), /^\[\{"name":/);
});
