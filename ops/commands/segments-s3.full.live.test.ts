import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { states, withSealedSegments } from '../testing/sealed-segments.js';
import { withS3Server } from '../testing/s3-server.js';

const test = suite('svc segments archive to a bucket');

const logText = 'SELECT e::text FROM svc_events e WHERE global_position < 20 ORDER BY 1';

test('segments are archived in a bucket, verified and attached; an unknown key is refused on one line', () =>
  withS3Server((s3) =>
    withSealedSegments(async ({ url, run, refused }) => {
      const before = await rowsOf(url, logText);
      const env = { ...s3, SVC_MASTER_KEY: randomBytes(32).toString('base64') };
      const to = ['segments', 'archive', '--to', 's3://archive/orders/1'];
      assert.match(
        await refused(to, { ...env, AWS_ACCESS_KEY_ID: 'OTHER' }),
        'refuses the request with 403 InvalidAccessKeyId',
      );
      assert.match(await run(to, env), 'Archived 0 to 9 at s3://archive/orders/1');
      assert.is(await states(url), 'archived archived');
      await run(['segments', 'verify', '--archives'], env);
      assert.match(
        await refused(['segments', 'attach', '0', '--from', 's3://archive/other'], env),
        'is not at',
      );
      await run(['segments', 'attach', '0'], env);
      assert.equal(await rowsOf(url, logText), before);
    }),
  ));

test('a bucket that does not exist, and a server that does not answer, are refused on one line', () =>
  withS3Server((s3) =>
    withSealedSegments(async ({ refused }) => {
      assert.match(
        await refused(['segments', 'archive', '--to', 's3://elsewhere'], s3),
        'refuses the request with 404 NoSuchBucket',
      );
      const gone = { ...s3, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' };
      const unreached = await refused(['segments', 'archive', '--to', 's3://archive'], gone);
      assert.ok(unreached.includes('s3://archive cannot be reached'), unreached);
    }),
  ));
