import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { natsServersOf } from './nats-servers.js';

const test = suite('nats servers');

const plain = { isTls: false, username: '', password: '' };

test('a URL names one server or several, with the scheme once or at each', () => {
  assert.equal(natsServersOf('nats://a:4222'), { ...plain, hosts: ['a:4222'] });
  assert.equal(natsServersOf('nats://a,b:4223,c'), { ...plain, hosts: ['a', 'b:4223', 'c'] });
  assert.equal(natsServersOf('nats://a:1, nats://b:2'), { ...plain, hosts: ['a:1', 'b:2'] });
  assert.equal(natsServersOf('tls://[::1]:1,[::1]:2'), {
    ...plain,
    isTls: true,
    hosts: ['[::1]:1', '[::1]:2'],
  });
});

test('the login is that of the first server', () => {
  const login = { isTls: false, username: 'ann', password: 'x' };
  assert.equal(natsServersOf('nats://ann:x@a:1,b:2'), { ...login, hosts: ['a:1', 'b:2'] });
  assert.equal(natsServersOf('nats://ann:x@a:1,nats://ann:x@b:2'), { ...login, hosts: ['a:1', 'b:2'] });
  assert.equal(natsServersOf('nats://ann:x,y@a'), { ...login, password: 'x,y', hosts: ['a'] });
});

test('what is no list of servers is rejected', () => {
  for (const text of [
    '',
    'a:4222',
    'http://a',
    'nats://',
    'nats://a:1,',
    'nats://a:port,b',
    'nats://,a',
    'nats://a,http://b',
  ])
    assert.is(natsServersOf(text), undefined, text);
});
