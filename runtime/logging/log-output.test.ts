import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { logOutput } from './log-output.js';
import { until } from '../kit/until.js';

const test = suite('log output');

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** A pipe that takes so many bytes and is full then. */
function pipe(room: number) {
  const read = { room, text: '', tries: 0 };
  const output = logOutput((bytes) => {
    read.tries++;
    if (read.room === 0) throw failure('EAGAIN');
    const taken = Buffer.from(bytes).subarray(0, read.room);
    read.room -= taken.length;
    read.text += taken.toString();
    return taken.length;
  });
  return { read, output };
}

test('a line that a full pipe takes in parts arrives whole, before later lines', async () => {
  const { read, output } = pipe(5);
  output.write('first line\n');
  output.write('second line\n');
  assert.is(read.text, 'first');
  read.room = 1_000;
  await until(() => read.text === 'first line\nsecond line\n');
});

test('a reader that does not read costs no time: lines beyond a megabyte are dropped and counted', async () => {
  const { read, output } = pipe(0);
  const line = `${'x'.repeat(99_999)}\n`;
  for (let n = 0; n < 30; n++) output.write(line);
  assert.is(read.tries, 1);
  read.room = 10_000_000;
  await until(() => read.text.includes('dropped'));
  const lines = read.text.split('\n').filter((one) => one !== '');
  const { lines: dropped } = JSON.parse(lines.at(-1) ?? '') as { lines: number };
  assert.is(dropped + lines.length - 1, 30);
  assert.is(lines.length, 11);
});

test('a line that cannot be written is dropped after one try; later lines are written again', () => {
  let isFull = true;
  const written: string[] = [];
  const output = logOutput((bytes) => {
    if (isFull) throw failure('ENOSPC');
    written.push(String(bytes));
    return bytes.length;
  });
  output.write('lost\n');
  isFull = false;
  output.write('kept\n');
  assert.equal(written, ['kept\n']);
});
