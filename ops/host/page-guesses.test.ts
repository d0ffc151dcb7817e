import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { refusalIn } from '../../endpoints/testing/http-client.js';
import { bearing } from '../../endpoints/testing/known-callers.js';
import { withSigning } from '../testing/signed-pages.js';

const test = suite('guessing at pages');

const tokens = { inspect: 'look-around', operator: 'move-things' };
const page = '/console/api/host';

test('a token in the URL is guessed as seldom as one in a header', () =>
  withSigning(async ({ get }) => {
    for (let n = 0; n < 10; n++) assert.is((await get(`${page}?t=guess-${n}`)).status, 401);
    assert.is(refusalIn(await get(`${page}?t=look-around`)), '429 rate-limited');
  }, tokens));

test('a caller with a key of their own guesses the tokens of the host as seldom as others', () =>
  withSigning(async ({ get, act, signIn }) => {
    const guess = (n: number) => ({ 'x-api-key': 'observer', ...bearing(`guess-${n}`) });
    assert.is((await get(page, { 'x-api-key': 'observer' })).status, 200);
    for (let n = 0; n < 4; n++) assert.is((await get(page, guess(n))).status, 401);
    for (let n = 4; n < 8; n++) assert.is((await act(guess(n))).status, 401);
    for (let n = 8; n < 10; n++)
      assert.is((await signIn(`guess-${n}`, { 'x-api-key': 'observer' })).status, 401);
    assert.is(
      refusalIn(await act({ 'x-api-key': 'observer', ...bearing('move-things') })),
      '429 rate-limited',
    );
  }, tokens));
