import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { carryOutShown } from './carry-out-shown.js';

const test = suite('progress of a plan');

/** What is written while a plan of 1,000 entries is carried out in two chunks, of which the second may fail. */
async function written(isTTY: boolean, fails = false): Promise<string> {
  const texts: string[] = [];
  const output = { isTTY, write: (text: string) => texts.push(text) };
  const plan = { token: '0123456789abcdef', action: 'retry', selection: 'everything', count: 1_000 } as const;
  const carryOut = async (progress: (repaired: number) => void): Promise<number> => {
    progress(500);
    if (fails) throw new RangeError('the database is gone');
    progress(1_000);
    return 1_000;
  };
  await carryOutShown(plan, carryOut, output).catch(() => undefined);
  return texts.join('');
}

const plan = 'svc: plan 0123456789abcdef: 1000 to retry\n';
const cleared = '\r\u001B[2K';

test('on a terminal a plan shows its token, and then how many entries of all are done', async () => {
  const text = await written(true);
  assert.ok(text.startsWith(plan));
  assert.match(text, / 50 % 500 of 1000\r.* 100 % 1000 of 1000/);
  assert.ok(text.endsWith(cleared));
});

test('the line of progress is cleared when a plan fails', async () => {
  const text = await written(true, true);
  assert.match(text, ' 50 % 500 of 1000');
  assert.ok(text.endsWith(cleared));
});

test('elsewhere only the token is written', async () => {
  assert.is(await written(false), plan);
});
