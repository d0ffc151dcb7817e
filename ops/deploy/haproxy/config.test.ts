import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { haproxyConfigOf } from './config.js';

const test = suite('haproxy config');

const slots = { blue: { server: 'blue-1', port: 3001 }, green: { port: 3002 } };
const given = { driver: 'haproxy', socket: '/run/haproxy/admin.sock', backend: 'orders', slots, replicas: 2 };

const refusalOf = (value: unknown): string => {
  try {
    haproxyConfigOf(value, '/srv/orders');
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

test('paths start at the folder of deploy.json; a slot is called as its server', () => {
  assert.equal(haproxyConfigOf({ ...given, state: 'orders.state' }, '/srv/orders'), {
    socket: '/run/haproxy/admin.sock',
    backend: 'orders',
    slots: [
      { name: 'blue', server: 'blue-1', port: 3001 },
      { name: 'green', server: 'green', port: 3002 },
    ],
    releases: '/srv/orders/releases',
    map: undefined,
    state: '/srv/orders/orders.state',
  });
});

test('everything that is wrong is reported on one line', () => {
  assert.is(
    refusalOf({ backend: 'a b', slots: { blue: { port: 0 } } }),
    'deploy.json: "socket" must be the path of HAProxy\'s runtime socket; the "port" of the slot blue must be a ' +
      'number from 1 to 65535; "slots" must hold two, such as blue and green; "backend" must be a name of ' +
      'letters, digits, _ . : and -',
  );
  assert.match(refusalOf(null), /^deploy\.json: "socket" must be/);
});

test('no name can carry a command of HAProxy or leave the folder', () => {
  for (const name of ['a;disable server', 'a b', '../a', 'a/b', 'a\nb', '', 5]) {
    assert.match(refusalOf({ ...given, backend: name }), /"backend" must be a name/);
    const wrong = { ...slots, green: { server: name, port: 3002 } };
    assert.match(refusalOf({ ...given, slots: wrong }), /the "server" of the slot green must be a name/);
  }
  assert.match(refusalOf({ ...given, map: 'a b' }), /"map" must be a path without spaces/);
});

test('two slots cannot share a port or a server', () => {
  const same = { blue: { port: 3001 }, green: { port: 3001 } };
  assert.match(refusalOf({ ...given, slots: same }), /the two slots must have different servers and ports/);
});

test('every field that is wrong in kind is named', () => {
  const wrong = [null, 5, true, '', ' ', 'a b', 'a\nb', 'a;b', [], {}, ['a'], { a: 1 }];
  for (const field of ['socket', 'backend', 'slots', 'releases', 'map', 'state'])
    for (const value of wrong)
      assert.match(refusalOf({ ...given, [field]: value }), new RegExp(`^deploy\\.json: [^\n]*"${field}"`));
  for (const value of [null, 5, [], { port: '3001' }, { port: 0 }, { port: 1.5 }, { server: 'a b', port: 1 }])
    assert.match(refusalOf({ ...given, slots: { ...slots, blue: value } }), /^deploy\.json: [^\n]*slot blue/);
});

test('a setting that is misspelled is named', () => {
  assert.is(refusalOf({ ...given, release: 'r' }), 'deploy.json: "release" is not a setting');
});
