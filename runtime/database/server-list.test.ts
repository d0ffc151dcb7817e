import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newestPrimary } from './primary-finder.js';
import { firstServerUrl, serverHosts, serverUrls } from './server-list.js';

const test = suite('server list');

test('a URL that lists servers is one URL for each, with the same login, database and options', () => {
  assert.equal(
    serverUrls('postgres://ann:x,y@a:1,[::1]:2,c/db?sslmode=require&target_session_attrs=read-write'),
    [
      'postgres://ann:x,y@a:1/db?sslmode=require',
      'postgres://ann:x,y@[::1]:2/db?sslmode=require',
      'postgres://ann:x,y@c/db?sslmode=require',
    ],
  );
  assert.equal(serverUrls('postgres://a,b/db?target_session_attrs=primary'), [
    'postgres://a/db',
    'postgres://b/db',
  ]);
});

test('a URL of one server stays as it is', () => {
  const text = 'postgres://ann:p%40ss@db:5432/orders?sslmode=disable';
  assert.equal(serverUrls(text), [text]);
  assert.equal(serverUrls('postgres:///db'), ['postgres:///db']);
});

test('a list with an empty or a malformed entry, or one that does not ask for a primary, is rejected', () => {
  for (const text of ['postgres://a,/db', 'postgres://,a/db', 'postgres://a:x,b/db', 'db', ''])
    assert.is(serverUrls(text), undefined, text);
  for (const wish of ['any', 'read-only', 'standby', 'prefer-standby', ''])
    assert.is(serverUrls(`postgres://a,b/db?target_session_attrs=${wish}`), undefined, wish);
});

test('what people read names hosts and ports, and neither user nor password', () => {
  assert.is(serverHosts('postgres://ann:secret@a:1,b/db'), 'a:1,b');
  assert.is(firstServerUrl('postgres://ann:secret@a:1,b/db').username, 'ann');
});

test('of several servers that accept writes the one that was promoted last is the primary', () => {
  const server = (url: string, isWritable: boolean, timeline: number) => ({
    url,
    isWritable,
    timeline,
    store: 'open' as const,
  });
  assert.is(newestPrimary([server('a', true, 1), server('b', true, 2), server('c', false, 0)]), 'b');
  assert.is(newestPrimary([server('a', true, 2), server('b', true, 2)]), 'a');
  assert.is(newestPrimary([server('a', false, 0)]), undefined);
});

test('a server with the store comes before one without, and one whose store is closed never counts', () => {
  const server = (url: string, store: 'none' | 'closed' | 'open', timeline = 1) => ({
    url,
    store,
    timeline,
    isWritable: true,
  });
  assert.is(newestPrimary([server('a', 'none', 9), server('b', 'open')]), 'b');
  assert.is(newestPrimary([server('a', 'closed', 9), server('b', 'open')]), 'b');
  assert.is(newestPrimary([server('a', 'closed'), server('b', 'none')]), 'b');
  assert.is(newestPrimary([server('a', 'closed')]), undefined);
});
