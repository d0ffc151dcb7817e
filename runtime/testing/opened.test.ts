import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { opened } from './opened.js';

const test = suite('opened');

test('what is provided stays until it is closed', async () => {
  const steps: string[] = [];
  const { value, close } = await opened<string>(async (body) => {
    steps.push('opened');
    await body('tea');
    steps.push('closed');
  });
  steps.push(value);
  await close();
  assert.equal(steps, ['opened', 'tea', 'closed']);
});

test('what cannot be opened, or fails when it is closed, is an error', async () => {
  const reason = (failing: Promise<unknown>) => failing.catch((error: unknown) => error);
  assert.is(await reason(opened(() => Promise.reject('no tea'))), 'no tea');
  const { close } = await opened<string>(async (body) => {
    await body('tea');
    throw 'spilt';
  });
  assert.is(await reason(close()), 'spilt');
});
