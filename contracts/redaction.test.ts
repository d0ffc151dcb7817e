import * as assert from 'uvu/assert';
import * as redaction from './redaction.js';
import { suite } from './testing/suite.js';

const test = suite('redaction');

const card = (value: unknown) => redaction.redactObject(value, { number: redaction.hide });
const canary = '4111';

test('a copy hides sensitive values and leaves absent ones absent', () => {
  const given = { number: canary, owner: 'Ada' };
  assert.equal(card(given), { number: '[redacted]', owner: 'Ada' });
  assert.is(given.number, canary);
  assert.equal(card({ owner: 'Ada' }), { owner: 'Ada' });
  assert.equal(card({ number: null }), { number: '[redacted]' });
});

test('lists and maps are redacted item by item', () => {
  assert.equal(redaction.redactArray([{ number: canary }], card), [{ number: '[redacted]' }]);
  assert.equal(redaction.redactMap({ a: { number: canary } }, card), { a: { number: '[redacted]' } });
});

test('a variant is redacted by its kind, and hidden when the kind is unknown', () => {
  const payment = (value: unknown) =>
    redaction.redactVariant(
      value,
      'method',
      new Map([
        ['card', card],
        ['cash', redaction.show],
      ]),
    );
  assert.equal(payment({ method: 'card', number: canary }), { method: 'card', number: '[redacted]' });
  assert.equal(payment({ method: 'cash', amount: 5 }), { method: 'cash', amount: 5 });
  assert.is(payment({ method: 'voucher', number: canary }), '[redacted]');
});

test('a value of another shape than expected is hidden as a whole', () => {
  for (const value of [canary, 4111, [canary]]) assert.is(card(value), '[redacted]');
  assert.is(redaction.redactArray({ number: canary }, card), '[redacted]');
  assert.is(redaction.redactMap([canary], card), '[redacted]');
  assert.is(card(null), null);
  assert.is(card(undefined), undefined);
});
