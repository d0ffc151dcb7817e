import * as assert from 'uvu/assert';
import { redacted } from '../contracts/redaction.js';
import { suite } from '../contracts/testing/suite.js';
import { newUuid } from '../contracts/uuid.js';
import { Secrets } from './secrets.js';

const test = suite('values of sensitive fields in texts');

const customer = { id: 7, name: 'Ada "the" Lovelace', phones: ['555 0100', '555 0199'], vip: true };
const secrets = new Secrets().add(customer, { ...customer, name: redacted, phones: redacted, vip: redacted });

test('a text without such a value is shown as it is', () => {
  for (const text of ['The gateway answered 503.', 'customer 7 is true'])
    assert.is(secrets.hideIn(text), text);
});

test('such a value is hidden wherever it occurs, also in JSON, in an address and in another case', () => {
  assert.is(secrets.hideIn('No answer from 555 0100.'), 'No answer from [redacted].');
  assert.is(secrets.hideIn(`sent ${JSON.stringify(customer.name)}`), 'sent "[redacted]"');
  assert.is(secrets.hideIn('GET /sms?to=555%200199 failed'), 'GET /sms?to=[redacted] failed');
  assert.is(secrets.hideIn('ADA "THE" LOVELACE'), '[redacted]');
});

test('a short value is hidden where it is a word', () => {
  const pin = new Secrets().add({ pin: 12 }, { pin: redacted });
  assert.is(pin.hideIn('The pin 12 is not 512 (12).'), 'The pin [redacted] is not 512 ([redacted]).');
});

test('nested values are found, and patterns in values mean nothing', () => {
  const nested = new Secrets().add([{ a: { b: '.*' } }, 'x'], [{ a: { b: redacted } }, 'x']);
  assert.is(nested.hideIn('a .* b x'), 'a [redacted] b x');
});

test('with too many or too long values the whole text is hidden', () => {
  const many = Array.from({ length: 1_001 }, (_, n) => `value ${n}`);
  assert.is(new Secrets().add(many, redacted).hideIn('value 3'), '[redacted] (7 characters)');
  assert.is(new Secrets().add('x'.repeat(5_001), redacted).hideIn('x'), '[redacted] (1 characters)');
});

test('with a sealed value the whole text is hidden: its plain text is not at hand', () => {
  const sealed = new Secrets().add({ email: `svc:sealed:1:${newUuid()}:AAAA` }, { email: redacted });
  assert.is(sealed.hideIn('No mail for ada@lovelace.example.'), '[redacted] (33 characters)');
});

test('a value at the end of what is shown is not cut in half', () => {
  const long = new Secrets().add('secret-'.repeat(100), redacted);
  const shown = long.hideIn(`${'x'.repeat(9_900)}${'secret-'.repeat(100)}`);
  assert.not.match(shown, 'secret');
});
