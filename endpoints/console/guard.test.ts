import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Caller, mustBeJson, mustBeOurName, mustBeOurPage } from './guard.js';

const test = suite('console guard');

const caller = (headers: Caller['headers'], remoteAddress = '127.0.0.1'): Caller => ({
  headers,
  remoteAddress,
});

const refuses = (must: (who: Caller) => void, who: Caller): boolean => {
  try {
    must(who);
    return false;
  } catch {
    return true;
  }
};

test('a foreign name that leads to this machine sees nothing', () => {
  for (const host of ['evil.test:3000', 'localhost.evil.test', '', undefined]) {
    assert.ok(refuses(mustBeOurName, caller({ host })), String(host));
  }
});

test('the names and addresses of this machine are its own', () => {
  for (const host of ['localhost:3000', 'app.localhost', '127.0.0.1:3000', '[::1]:3000', '10.1.2.3']) {
    assert.not.ok(refuses(mustBeOurName, caller({ host })), host);
  }
});

test('from another machine any name may lead here', () => {
  assert.not.ok(refuses(mustBeOurName, caller({ host: 'orders.example' }, '10.0.0.7')));
});

test('only our own page, or a program that is no browser, may change anything', () => {
  const host = 'localhost:3000';
  assert.not.ok(refuses(mustBeOurPage, caller({ host })));
  assert.not.ok(refuses(mustBeOurPage, caller({ host, origin: 'http://localhost:3000' })));
  for (const origin of ['http://evil.test', 'http://localhost:3001', 'null']) {
    assert.ok(refuses(mustBeOurPage, caller({ host, origin })), origin);
  }
  assert.ok(refuses(mustBeOurPage, caller({ host, 'sec-fetch-site': 'cross-site' })));
});

test('a form cannot say what JSON says', () => {
  assert.not.ok(refuses(mustBeJson, caller({ 'content-type': 'application/json; charset=utf-8' })));
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', undefined]) {
    assert.ok(refuses(mustBeJson, caller({ 'content-type': type })), type);
  }
});

test.run();
