import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { states, withSealedSegments } from '../testing/sealed-segments.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc segments archive');

/** Everything that both logs hold below a position. */
const logOf = (url: string, below = 20): Promise<string[][]> =>
  rowsOf(
    url,
    `SELECT global_position, e::text FROM svc_events e WHERE global_position < ${below}
      UNION ALL SELECT global_position, s::text FROM svc_system_events s WHERE global_position < ${below} ORDER BY 1`,
  );

test('a segment that was archived and attached is the same in every byte, and the chain verifies throughout', () =>
  withSealedSegments(async ({ url, folder, append, run }) => {
    const before = await logOf(url);
    assert.match(
      await run(['segments', 'archive', '--to', folder]),
      `Archived 0 to 9 at ${folder}: 0.0 MB, not encrypted.`,
    );
    assert.is(await states(url), 'archived archived');
    assert.equal(await logOf(url), []);
    await append(3);
    assert.match(
      await run(['audit', 'verify', '--events']),
      /Records up to \d+ are archived and were not read/,
    );
    assert.match(await run(['segments', 'verify']), '2 archived segments were not read, from 0 on');
    assert.match(
      await run(['segments', 'verify', '--archives']),
      '2 sealed segments are as they were sealed.',
    );
    assert.match(
      await run(['segments', 'list']),
      `0 to 9  archived  9 events, 0 records  0.0 MB at ${folder}`,
    );
    await run(['segments', 'attach', '10']);
    assert.is(await states(url), 'archived sealed');
    await run(['segments', 'attach', '0', '--reason', 'an audit']);
    assert.equal(await logOf(url), before);
    assert.not.match(await run(['audit', 'verify', '--events']), 'archived');
    assert.match(await run(['segments', 'verify']), '2 sealed segments are as they were sealed.');
    await run(['segments', 'archive']);
    assert.is(await states(url), 'archived archived');
    const acted = await rowsOf(
      url,
      `SELECT data ->> 'action', data ->> 'target' FROM svc_system_events WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    );
    assert.equal(
      acted.map((row) => row.join(' ')),
      [
        'archive 0 to 9',
        'archive 10 to 19',
        'attach 10 to 19',
        'attach 0 to 9',
        'archive 0 to 9',
        'archive 10 to 19',
      ].map((text) => `segments ${text}`),
    );
  }));

const steps = [
  'archive-part-written',
  'archive-manifest-written',
  'archive-marked',
  'archive-detached',
  'archive-dropped',
];

for (const failpoint of steps)
  test(`killed at ${failpoint}, nothing is lost, the chain verifies, and the next run ends it`, () =>
    withSealedSegments(async ({ url, folder, append, run }) => {
      const before = await logOf(url);
      const env = { DATABASE_URL: url, SVC_FAILPOINTS: failpoint };
      assert.is((await svc(['segments', 'archive', '--to', folder], env)).code, null);
      await append(1);
      await run(['audit', 'verify', '--events']);
      await run(['segments', 'verify', '--archives']);
      await run(['segments', 'archive', '--to', folder]);
      assert.is(await states(url), 'archived archived');
      await run(['segments', 'verify', '--archives']);
      await run(['segments', 'attach', '0']);
      assert.equal(await logOf(url), before);
      await run(['audit', 'verify', '--events']);
    }));

for (const failpoint of ['attach-part-loaded', 'attach-attached'])
  test(`killed at ${failpoint}, nothing is lost or doubled, and the next run ends it`, () =>
    withSealedSegments(async ({ url, folder, append, run }) => {
      const before = await logOf(url);
      await run(['segments', 'archive', '--to', folder]);
      const env = { DATABASE_URL: url, SVC_FAILPOINTS: failpoint };
      assert.is((await svc(['segments', 'attach', '0'], env)).code, null);
      await append(1);
      await run(['audit', 'verify', '--events']);
      await run(['segments', 'attach', '0']);
      assert.equal(await logOf(url), before);
      await run(['audit', 'verify', '--events']);
      await run(['segments', 'archive']);
      assert.is(await states(url), 'archived archived');
    }));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.part'))
    .map((name) => join(folder, name))
    .toSorted();

test('an archive is encrypted with a key that the master key wraps, and opens after the master key was replaced', () =>
  withSealedSegments(async ({ url, folder, run, refused }) => {
    const before = await logOf(url);
    const [first, second] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string];
    assert.not.match(
      await run(['segments', 'archive', '--to', folder], { SVC_MASTER_KEY: first }),
      'not encrypted',
    );
    for (const file of filesIn(folder))
      assert.not.equal(readFileSync(file).subarray(0, 2), Buffer.from([0x1f, 0x8b]));
    assert.match(await refused(['segments', 'attach', '0']), 'set SVC_MASTER_KEY');
    assert.match(await refused(['segments', 'attach', '0'], { SVC_MASTER_KEY: second }), 'SVC_MASTER_KEY');
    await run(['store', 'rotate-master'], { SVC_MASTER_KEY: second, SVC_MASTER_KEY_OLD: first });
    await run(['segments', 'verify', '--archives'], { SVC_MASTER_KEY: second });
    await run(['segments', 'attach', '0'], { SVC_MASTER_KEY: second });
    assert.equal(await logOf(url), before);
  }));

test('destroying the key of an archive makes it unreadable for good, and leaves the others', () =>
  withSealedSegments(async ({ folder, run, refused }) => {
    const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
    await run(['segments', 'archive', '--to', folder], env);
    await run(['subjects', 'forget', 'archive:0', '--reason', 'kept long enough']);
    assert.match(
      await refused(['segments', 'attach', '0'], env),
      'The key of the archive of the segment 0 to 9 was destroyed.',
    );
    await run(['audit', 'verify']);
  }));

test('an altered or missing file is found, and is not attached', () =>
  withSealedSegments(async ({ url, folder, run, refused }) => {
    await run(['segments', 'archive', '--to', folder]);
    const [part = ''] = filesIn(folder);
    const bytes = readFileSync(part);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(part, bytes);
    const { code, stdout } = await svcInProcess(['segments', 'verify', '--archives', '--json'], {
      DATABASE_URL: url,
    });
    const report = JSON.parse(stdout) as { segments: { low: number; faults: string[] }[] };
    assert.is(code, 1);
    assert.equal(
      report.segments.map(({ low, faults }) => [low, ...faults]),
      [[0, 'files-altered'], [10]],
    );
    assert.match(
      await refused(['segments', 'attach', '0']),
      'Part 1 of the archive of segment 0 is not what was written',
    );
    assert.is(await states(url), 'archived sealed');
    assert.match(
      await refused(['segments', 'attach', '0', '--from', join(folder, 'elsewhere')]),
      'is not at',
    );
  }));

test('a manifest that the store has not recorded, or not signed, is refused', () =>
  withSealedSegments(async ({ url, folder, run, refused }) => {
    await run(['segments', 'archive', '--to', folder]);
    const manifestOf = (segment: string): string =>
      join(folder, readdirSync(folder)[0] ?? '', segment, 'manifest.json');
    const [ours, other] = ['0-10', '10-20'].map((segment) => readFileSync(manifestOf(segment), 'utf8')) as [
      string,
      string,
    ];
    const place = (text: string): void => writeFileSync(manifestOf('0-10'), text);
    for (const text of ['', '{', ours.slice(0, -20), other]) {
      place(text);
      assert.match(
        await refused(['segments', 'attach', '0']),
        'has another manifest than the store has recorded',
      );
    }
    const forged = JSON.stringify({ ...JSON.parse(ours), high: 11 });
    place(forged);
    await execute(url, `UPDATE svc_archives SET manifest_sha256 = sha256('${forged}') WHERE low = 0`);
    assert.match(await refused(['segments', 'attach', '0']), 'was not signed by this store');
    assert.is(await states(url), 'archived sealed');
    assert.equal(await rowsOf(url, `SELECT to_regclass('svc_events_0') IS NULL`), [['true']]);
  }));

test('what cannot be archived stays, and says why on one line', () =>
  withSealedSegments(async ({ url, folder, append, run, refused }) => {
    assert.match(await refused(['segments', 'archive']), 'Give the place of the archive');
    assert.match(await refused(['segments', 'archive', '--to', 's3://bucket']), 'needs AWS_ACCESS_KEY_ID');
    await append(10);
    await run(['segments', 'seal']);
    assert.match(
      await run(['segments', 'archive', '--to', folder]),
      '20 to 29 stays: it was sealed less than 7 days ago.',
    );
    assert.is(await states(url), 'archived archived');
    assert.match(
      await refused(['segments', 'archive', '--days', '3']),
      '--days must be a number of at least 7',
    );
    assert.match(await refused(['segments', 'attach', '5']), 'No closed segment begins at 5');
    assert.match(await refused(['audit', 'export']), 'of the system stream are archived');
  }));
