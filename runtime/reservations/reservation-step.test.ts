import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { ReservationOptions } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { namedUuid } from '../lang/named-uuid.js';
import type { ReservationKey } from '../../contracts/unit-lists.js';
import { reservationStep } from './reservation-step.js';

const test = suite('Reservations');

const keyOf: ReservationKey = (tenant, name, value) => namedUuid(tenant ?? '', name, value);

const stepOf = (name: unknown, value: unknown, options: unknown, take = true) =>
  reservationStep(
    take,
    { name: name as string, value: value as string, tenant: 'north' },
    options as ReservationOptions,
    keyOf,
  );

test('a step holds the digest of the value, not the value', () => {
  const step = stepOf('email', 'ada@example.org', { owner: 'c-1' });
  assert.equal(step, {
    key: namedUuid('north', 'email', 'ada@example.org'),
    name: 'email',
    owner: 'c-1',
    take: true,
  });
  assert.not.match(JSON.stringify(step), /ada/);
});

test('a hold ends by itself, a release has no end', () => {
  assert.is(stepOf('email', 'a', { owner: 'c', for: 'PT10M' }).forMs, 600_000);
  assert.is(stepOf('email', 'a', { owner: 'c', for: 'PT10M' }, false).forMs, undefined);
});

test('what cannot be reserved is refused on one line that does not repeat the value', () => {
  const refused = (name: unknown, value: unknown, options: unknown, message: RegExp) =>
    assert.throws(
      () => stepOf(name, value, options),
      (error: unknown) =>
        error instanceof Problem && error.code === 'invalid-reservation' && message.test(error.message),
    );
  refused(
    '',
    'a',
    { owner: 'c' },
    /^The name of a reservation must be a text of 1 to 64 bytes without U\+0000\.$/,
  );
  refused('email', '', { owner: 'c' }, /The value of a reservation must be a text of 1 to 1024 bytes/);
  refused('email', 'ä'.repeat(600), { owner: 'c' }, /The value/);
  refused('email', 'a\u0000', { owner: 'c' }, /^The value of a reservation must be .* without U\+0000\.$/);
  refused('email', 'a', { owner: undefined }, /The owner/);
  refused('email', 'a', { owner: 'c', for: 'soon' }, /^email: for 'soon' is not a duration/);
});
