import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { SignatureCheck } from './signature-check.js';

const test = suite('signature check');

const signedBy = (publicKey: string) => ({ publicKey });
const [own, other] = [signedBy('aa'), signedBy('bb')];
const codeOf = (check: SignatureCheck, proof: Parameters<SignatureCheck['problemOf']>[1]) =>
  check.problemOf('store', proof)?.code;

test('a store that has signed nothing is believed without a signature', () => {
  assert.is(codeOf(new SignatureCheck(new Map()), undefined), undefined);
  assert.is(
    codeOf(new SignatureCheck(new Map([['store', { publicKey: 'aa', signs: false }]])), undefined),
    undefined,
  );
});

test('from the first signed message on, unsigned ones and those of other keys are refused', () => {
  const check = new SignatureCheck(new Map());
  assert.is(codeOf(check, own), undefined);
  assert.equal([codeOf(check, undefined), codeOf(check, other)], ['unsigned-message', 'forged-message']);
  assert.is(codeOf(check, own), undefined);
  assert.equal([...check.found], [['store', 'aa']]);
});

test('a pinned key is the only one that counts', () => {
  const check = new SignatureCheck(new Map([['store', { publicKey: 'aa', signs: false }]]));
  assert.is(codeOf(check, other), 'forged-message');
  assert.is(check.found.size, 0);
  assert.is(codeOf(check, own), undefined);
});

test('a signature that does not hold is refused, whether or not the store signs', () => {
  assert.is(codeOf(new SignatureCheck(new Map()), 'invalid'), 'forged-message');
});
