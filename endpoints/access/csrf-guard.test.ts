import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { mustBeOfAllowedOrigin, mustBeSameOrigin, mustSendJson } from './csrf-guard.js';

const test = suite('console guard');

type Caller = Parameters<typeof mustSendJson>[0];

const caller = (headers: Caller['headers']): Caller => ({ headers });

const refuses = (must: (who: Caller) => void, who: Caller): boolean => {
  try {
    must(who);
    return false;
  } catch {
    return true;
  }
};

test("only the console's own page, or a program that is not a browser, may change anything", () => {
  const host = 'localhost:3000';
  assert.not.ok(refuses(mustBeSameOrigin, caller({ host })));
  assert.not.ok(refuses(mustBeSameOrigin, caller({ host, origin: 'http://localhost:3000' })));
  for (const origin of ['http://evil.test', 'http://localhost:3001', 'null']) {
    assert.ok(refuses(mustBeSameOrigin, caller({ host, origin })), origin);
  }
  assert.ok(refuses(mustBeSameOrigin, caller({ host, 'sec-fetch-site': 'cross-site' })));
});

test('a page of another site is admitted only if CORS allows its very origin, or every one', () => {
  const who = caller({
    host: 'localhost:3000',
    origin: 'https://desk.example',
    'sec-fetch-site': 'cross-site',
  });
  for (const allowed of ['*', 'https://desk.example']) mustBeOfAllowedOrigin(who, allowed);
  for (const allowed of [undefined, 'https://shop.example', ''])
    assert.ok(
      refuses((one) => mustBeOfAllowedOrigin(one, allowed), who),
      allowed,
    );
  const unnamed = caller({ host: 'localhost:3000', 'sec-fetch-site': 'cross-site' });
  assert.ok(refuses((one) => mustBeOfAllowedOrigin(one, undefined), unnamed));
  mustBeOfAllowedOrigin(caller({ host: 'localhost:3000' }), 'https://shop.example');
});

test('a form is refused: only JSON is accepted', () => {
  assert.not.ok(refuses(mustSendJson, caller({ 'content-type': 'application/json; charset=utf-8' })));
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', undefined]) {
    assert.ok(refuses(mustSendJson, caller({ 'content-type': type })), type);
  }
});
