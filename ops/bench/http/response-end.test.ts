import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { responseEnd } from './response-end.js';

const test = suite('bench http answer');

const head = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nDate: today\r\n\r\n';

test('an answer ends after its Content-Length, however the header is written', () => {
  assert.equal(responseEnd(`${head}{}`), { status: 200, at: head.length + 2 });
  assert.equal(responseEnd(`${head.toLowerCase()}{}HTTP/1.1`), { status: 200, at: head.length + 2 });
});

test('half an answer has no end yet', () => {
  assert.is(responseEnd('HTTP/1.1 200 OK\r\nContent-Le'), undefined);
  assert.is(responseEnd(`${head}{`), undefined);
});

test('an answer without a body ends with its head', () => {
  const empty = 'HTTP/1.1 204 No Content\r\n\r\n';
  assert.equal(responseEnd(empty), { status: 204, at: empty.length });
});
