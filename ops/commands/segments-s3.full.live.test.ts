import { randomBytes } from 'node:crypto';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { states, withSealedSegments } from '../testing/sealed-segments.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { untilPasses } from '../../runtime/kit/until.js';

const test = suite('svc segments archive to a bucket');

/** The source folder of this file: what is installed there is not compiled. */
const folder = fileURLToPath(new URL('../../../ops/testing/s3-server/', import.meta.url));

/** What a client of the server needs in its environment. */
type S3Environment = Readonly<Record<string, string>>;

/** Starts s3rver with an empty bucket named `archive`; npm installs it on first use. */
async function withS3Server(body: (env: S3Environment) => Promise<void>): Promise<void> {
  await install();
  await withFolder(async (directory) => {
    const port = await freePort();
    const program = `${folder}node_modules/s3rver/bin/s3rver.js`;
    const args = [
      '--directory',
      directory,
      '--port',
      String(port),
      '--configure-bucket',
      'archive',
      '--silent',
    ];
    const server = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const ended = once(server, 'close');
    const endpoint = `http://127.0.0.1:${port}`;
    try {
      await untilPasses(async () => void (await fetch(endpoint)));
      await body({
        AWS_ENDPOINT_URL_S3: endpoint,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
      });
    } finally {
      server.kill('SIGKILL');
      await ended;
    }
  });
}

async function install(): Promise<void> {
  const [installed, locked] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(`${folder}${file}`).catch(() => undefined),
    ),
  );
  if (installed !== undefined && locked !== undefined && installed.mtimeMs >= locked.mtimeMs) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await promisify(execFile)(npm, ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']);
}

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
