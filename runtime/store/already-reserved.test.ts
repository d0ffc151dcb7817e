import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { alreadyReserved } from './already-reserved.js';

const test = suite('a name that is taken');

test('a refusal says what is taken, and not what is given back', () => {
  const email = { name: 'email', owner: 'ada', take: true };
  const old = { name: 'alias', owner: 'ada', take: false };
  assert.is(alreadyReserved([email, old]).detail, 'Another owner has this email.');
  assert.is(
    alreadyReserved([{ name: 'alias', owner: null }, email, email]).detail,
    'Another owner has this email.',
  );
  assert.is(
    alreadyReserved([email, { name: 'phone', owner: 'ada' }]).detail,
    'Another owner has one of these: email, phone.',
  );
});
