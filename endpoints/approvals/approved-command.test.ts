import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { identityFrom } from '../../contracts/identity.js';
import type { Json } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { canonical, fingerprintOf, isSame } from './approved-command.js';

const test = suite('what a person agrees to');

const scopeOf = (userId?: string, apiKey?: string): PerspectiveScope => ({
  ...(userId === undefined ? {} : { userId }),
  allowedPrincipals: [],
  extensions: apiKey === undefined ? {} : { apiKey },
});
const ann = { scope: scopeOf('ann') };

const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, one]) => [name, reversed(one)]),
        )
      : value;

test('the fingerprint is the same in whatever order the arguments are written, and after they were stored', () =>
  fc.assert(
    fc.property(fc.jsonValue(), (args) => {
      const stored = JSON.parse(JSON.stringify(reversed(args))) as Json;
      assert.is(fingerprintOf('Ping', stored, ann), fingerprintOf('Ping', args, ann));
    }),
  ));

test('another argument, another command and another asker have another fingerprint', () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      fc.pre(canonical(one) !== canonical(other));
      assert.is.not(fingerprintOf('Ping', one, ann), fingerprintOf('Ping', other, ann));
      assert.is.not(fingerprintOf('Pong', one, ann), fingerprintOf('Ping', one, ann));
      const bob = { scope: scopeOf('bob') };
      assert.is.not(fingerprintOf('Ping', one, bob), fingerprintOf('Ping', one, ann));
    }),
  ));

test('two callers are the same by their user or by their key, whatever else they say', () => {
  const caller = (userId?: string, apiKey?: string) =>
    identityFrom({ source: 'test', scope: { ...scopeOf(userId, apiKey) } });
  assert.ok(isSame(scopeOf('ann'), caller('ann', 'svc_1')));
  assert.ok(isSame(scopeOf(undefined, 'svc_1'), caller('bob', 'svc_1')));
  assert.not.ok(isSame(scopeOf('ann', 'svc_1'), caller('bob', 'svc_2')));
  assert.not.ok(isSame(scopeOf('ann'), caller()));
  assert.not.ok(isSame(scopeOf(undefined, 'svc_1'), caller('bob')));
});
