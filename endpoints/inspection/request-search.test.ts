import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { RequestRecord } from './request-recorder.js';
import { searchFor } from './request-search.js';

const test = suite('search for requests');

const record: RequestRecord = {
  id: '0199-4091-aaaa',
  correlationId: 'table-7',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  command: 'CreateOrder',
  transport: 'graphql',
  outcome: 'failed',
  status: 404,
  failedIn: 'dispatching',
  error: { name: 'Problem', code: 'order-not-found' },
  startedAt: '2026-01-01T10:30:00.000Z',
  ms: 620,
  states: [],
};

const finds = (text: string): boolean => searchFor(text)(record, 'north-1');

test('a word is part of an id, a command or an error, or an outcome', () => {
  for (const text of ['', 'TABLE-7', 'createo', 'not-found', 'failed', '80319c'])
    assert.ok(finds(text), text);
  for (const text of ['cancelorder', 'complete']) assert.not(finds(text), text);
});

test('a number of three digits is a status, not part of an id', () => {
  assert.ok(finds('404'));
  assert.not(finds('409'));
  assert.ok(finds('id:409'));
});

test('a field is searched by its name, and all words must match', () => {
  for (const text of [
    ...['status:404', 'status:4xx', '4xx', 'outcome:failed', 'command:create', 'error:order'],
    ...['host:north', 'transport:graphql', 'slower:500', 'slower:500ms', 'since:2026-01-01T10:30:00Z'],
    'status:4xx createorder host:north-1',
  ])
    assert.ok(finds(text), text);
  for (const text of [
    ...['status:409', '5xx', 'outcome:fail', 'host:south', 'transport:rest', 'slower:700', 'slower:abc'],
    ...['since:2026-01-01T10:31:00Z', 'since:never', 'status:404 cancelorder'],
  ])
    assert.not(finds(text), text);
});

test('a name that is no field is part of the word', () => {
  assert.not(finds('constructor:x'));
  assert.not(finds('__proto__:x'));
  assert.not(finds(':'));
});
