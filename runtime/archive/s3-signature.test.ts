import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sha256 } from '../lang/sha256.js';
import { signedHeaders } from './s3-signature.js';

const test = suite('signatures of S3 requests');

const credentials = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
};
const request = {
  method: 'GET',
  path: '/test.txt',
  sha256: sha256('').toString('hex'),
  at: new Date('2013-05-24T00:00:00Z'),
  headers: { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
};

const authorizationOf = (changed: object, by = credentials): string =>
  signedHeaders({ ...request, ...changed }, by)['authorization'] ?? '';

test('a request is signed as in the documentation of AWS', () => {
  assert.is(
    authorizationOf({}),
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('the token of temporary credentials is signed, too', () => {
  const temporary = signedHeaders(request, { ...credentials, sessionToken: 'token' });
  assert.is(temporary['x-amz-security-token'], 'token');
  assert.match(temporary['authorization'] ?? '', 'x-amz-date;x-amz-security-token,');
});
