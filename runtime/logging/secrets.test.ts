import * as assert from 'uvu/assert';
import { redacted } from '../../contracts/redaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
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

test('such a value is hidden in the query of an address, in JSON within JSON, and without its spaces', () => {
  const query = new URLSearchParams({ name: customer.name }).toString();
  assert.is(secrets.hideIn(query), 'name=[redacted]');
  const nested = JSON.stringify({ body: JSON.stringify({ name: customer.name }) });
  assert.is(secrets.hideIn(nested), String.raw`{"body":"{\"name\":\"[redacted]\"}"}`);
  const padded = new Secrets().add(' hunter2 ', redacted);
  assert.is(padded.hideIn('The password hunter2 is wrong.'), 'The password [redacted] is wrong.');
});

test('the keys of a sensitive map are hidden, the names of sensitive fields are not', () => {
  const contacts = new Secrets().add({ 'ada@lovelace.example': true, mail: 'yes' }, redacted);
  assert.is(contacts.hideIn('no mail for ada@lovelace.example'), 'no mail for [redacted]');
});

test('values that overlap are hidden as a whole', () => {
  const both = new Secrets().add(['0100 5550', '5550 0199'], redacted);
  assert.is(both.hideIn('<0100 5550 0199>'), '<[redacted]>');
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

test('a text that would take long to search is hidden as a whole', () => {
  const values = Array.from({ length: 1_000 }, (_, n) => `${'a'.repeat(400)}${n}`);
  const text = 'a'.repeat(10_000);
  assert.is(new Secrets().add(values, redacted).hideIn(text), '[redacted] (10000 characters)');
  assert.is(new Secrets().add(values, redacted).hideIn('No answer.'), 'No answer.');
});

test('with a sealed value the whole text is hidden: its plain text is not at hand', () => {
  const sealed = new Secrets().add({ email: `svc:sealed:1:${newUuid()}:AAAA` }, { email: redacted });
  assert.is(sealed.hideIn('No mail for ada@lovelace.example.'), '[redacted] (33 characters)');
});

test('a value at the end of what is shown is not cut in half', () => {
  const long = new Secrets().add('secret-'.repeat(100), redacted);
  const shown = long.hideIn(`${'x'.repeat(9_900)}${'secret-'.repeat(100)}`);
  assert.not.match(shown, 'secret');
  const many = `${'x'.repeat(100)}${'secret-'.repeat(100).repeat(30)}`;
  assert.not.match(long.hideIn(many), 'secret');
  const encoded = new Secrets().add('ü'.repeat(4_000), redacted);
  assert.not.match(encoded.hideIn(`${'x'.repeat(9_990)}${encodeURIComponent('ü'.repeat(4_000))}`), '%');
});

test('letters of all kinds are found in another case', () => {
  for (const [value, text] of [
    ['İzm 1', 'in IZM 1'],
    ['δός 1', 'η ΔΌΣ 1'],
    ['Maß 1', 'in MAß 1'],
  ] as const)
    assert.match(new Secrets().add(value, redacted).hideIn(text), '[redacted]');
});
