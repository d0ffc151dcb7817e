import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { errorText } from './error-text.js';

const test = suite('failure text');

const failed = (members: object, message = 'failed') => Object.assign(new TypeError(message), members);
const stack = `TypeError: x is not a function
    at create (file:///app/dist/main.js:2:54)
    at startHost (${new URL('host/host.js', import.meta.url).href}:15:41)
    at node:internal/main:1:1`;
const wrapped = (cause: unknown) => new Problem('store-unavailable', { cause });

test('a problem is one line', () => {
  assert.is(
    errorText(new Problem('usage', { detail: 'Give one application.' })),
    'svc: Give one application.\n',
  );
});

test('a server that has no room quotes its reason and says what to make', () => {
  const full = failed({ code: '53100' }, 'could not extend file "base/5/1": No space left on device');
  assert.match(
    errorText(wrapped(full)),
    /^svc: PostgreSQL reports: could not extend .*; free space [^\n]*\n$/,
  );
  const many = failed({ code: '53300' }, 'sorry, too many clients already');
  assert.match(
    errorText(wrapped(many)),
    /^svc: PostgreSQL reports: sorry, too many clients already; [^\n]*\n$/,
  );
});

test('a port in use is reported, with how to choose another', () => {
  const error = failed({ code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 3000 });
  assert.match(errorText(error), /^svc: Port 3000 of 127\.0\.0\.1 is in use .* set SVC_PORT [^\n]*\n$/);
});

test('a data folder that cannot be used is named, with the variables that choose another place', () => {
  const denied = (path: string) =>
    failed({ code: 'EACCES', syscall: 'mkdir', path }, `EACCES: permission denied, mkdir '${path}'`);
  const text = (path: string) => errorText(wrapped(denied(path)), { SVC_DATA_DIR: '/srv/data' });
  for (const path of ['/srv/data', '/srv/data/postgres/lock'])
    assert.match(text(path), /^svc: The data folder \/srv\/data cannot .*EACCES.* set SVC_DATA_DIR .*\n$/);
  assert.not.match(text('/srv/data-of-others'), 'SVC_DATA_DIR');
});

test('a database that does not answer is reported by host, port and variable, never with its password', () => {
  const env = { DATABASE_URL: 'postgres://app:secret@127.0.0.1:5999/db' };
  const error = failed({ code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 5999 });
  const text = errorText(wrapped(error), env);
  assert.is(
    text,
    'svc: PostgreSQL does not answer at 127.0.0.1:5999 (ECONNREFUSED); start it, or correct DATABASE_URL.\n',
  );
});

test('a host with several addresses is named by the first', () => {
  const error = failed({ code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 5999 });
  assert.match(errorText(wrapped(new AggregateError([error]))), /does not answer at ::1:5999/);
});

test('a host name that does not exist is named', () => {
  const error = failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db.example' });
  assert.match(errorText(wrapped(error), {}), /no host db\.example \(ENOTFOUND\); correct DATABASE_URL/);
});

for (const [code, message, advice] of [
  ['28P01', 'password authentication failed for user "app"', /refused the login .* correct DATABASE_URL/],
  ['3D000', 'database "shop" does not exist', /createdb/],
  ['42501', 'permission denied for schema public', /GRANT USAGE, CREATE ON SCHEMA public/],
] as const)
  test(`${message}: the advice says what to do`, () => {
    assert.match(errorText(wrapped(failed({ code }, message)), {}), advice);
  });

for (const message of [
  'Query read timeout',
  'timeout expired',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'database "shop" is not currently accepting connections',
])
  test(`${message}: one line, without the stack of the driver`, () => {
    const silent = Object.assign(new Error(message), {
      stack: `Error: ${message}\n    at file:///app/node_modules/pg/x.js:1:1`,
    });
    for (const error of [silent, wrapped(silent)])
      assert.is(
        errorText(error, {}),
        `svc: PostgreSQL does not answer (${message}); see whether it is running and not overloaded, or correct DATABASE_URL.\n`,
      );
  });

for (const [code, message] of [
  ['ECONNRESET', 'read ECONNRESET'],
  ['EPIPE', 'write EPIPE'],
  ['57P01', 'terminating connection due to administrator command'],
  ['57P03', 'the database system is starting up'],
] as const)
  test(`${message}: the advice is the one for a server that does not answer`, () => {
    assert.is(
      errorText(wrapped(failed({ code }, message)), {}),
      `svc: PostgreSQL does not answer (${message}); see whether it is running and not overloaded, or correct DATABASE_URL.\n`,
    );
  });

test('an error in the application is reported with its kind and its location', () => {
  const text = errorText(failed({ stack }, 'x is not a function'));
  assert.is(text, 'svc: TypeError: x is not a function\n    at create (file:///app/dist/main.js:2:54)\n');
});

test('a module that cannot be loaded is reported with the location of the failure', () => {
  const problem = new Problem('invalid-setup', {
    detail: 'app cannot be loaded: no',
    cause: failed({ stack }),
  });
  assert.match(errorText(problem), /^svc: app cannot be loaded: no\n +at create .*main\.js:2:54\)\n$/);
});

test('a failure of the runtime stays on one line', () => {
  assert.is(
    errorText(new Problem('unexpected', { cause: failed({ stack: stack.replace(/.*app.*\n/, '') }) })),
    'svc: Something went wrong\n',
  );
});

test('frames of packages are no location in the application: a lock that lasts too long is one line', () => {
  const canceled = failed({
    code: '57014',
    stack:
      'error: canceling statement due to statement timeout\n    at /app/node_modules/pg/lib/client.js:694:17',
  });
  const problem = new Problem('store-unavailable', { detail: 'The store is busy.', cause: canceled });
  assert.is(errorText(problem), 'svc: The store is busy.\n');
});

test('a thrown value that is not an error is printed as it is', () => {
  assert.is(errorText('no'), 'svc: no\n');
});
