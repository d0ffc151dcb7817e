import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { receivedLetters } from '../../runtime/testing/received-letters.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { changedIn, recordedIn, whileRecordsAreCut } from '../testing/cut-records.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('actions on the command line and their records');

/** Something for each action to change. */
const scene = `
${receivedLetters(3)};
INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
  VALUES (1, gen_random_uuid(), 1, gen_random_uuid(), 'Baked', '{}', '{}', 'h', now(), now());
UPDATE svc_progress SET position = 1 WHERE name = 'outbox';
INSERT INTO svc_perspectives(table_name, name, hash, types, by_stream) VALUES ('svc_per_loaves_1', 'loaves', 'h', '{}', true);
INSERT INTO svc_progress(name) VALUES ('svc_per_loaves_1');
CREATE TABLE svc_old_per_rolls_1 (id int);
CREATE TABLE svc_old_per_rolls_2 (id int);
CREATE TABLE ovens (heat__svc_old int);
INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
  SELECT 'svc_per_loaves_1', k, 1, 'parked', 1, 'no oven' FROM unnest('{rye,oat}'::text[]) k;
INSERT INTO svc_rebuilds(id, table_name, name, mode) VALUES (gen_random_uuid(), 'svc_per_loaves_1', 'loaves', 'BlueGreen')`;

const changes = async (url: string) => [
  ...(await changedIn(url)),
  ...(await rowsOf(url, "SELECT position FROM svc_progress WHERE name = 'outbox'")).flat(),
];

for (const [verb, ...records] of [
  ['dead-letters replay 1', 'dead-letters replay 1'],
  ['dead-letters discard 1 --reason old', 'dead-letters discard 1'],
  ['dead-letters replay --error oven', "dead-letters replay 3 with error 'oven'"],
  ['stuck skip inbox/dead-letter@1 --reason old', 'stuck skip inbox/dead-letter@1'],
  [
    'stuck retry perspective/svc_per_loaves_1@1/rye --reason old',
    'stuck retry perspective/svc_per_loaves_1@1/rye',
  ],
  ['stuck retry --yes --error oven --reason old', "stuck retry error 'oven'"],
  ['outbox republish --from 1', 'outbox republish 1-1'],
  ['perspectives parked loaves --release rye --release oat', 'perspectives release loaves rye oat'],
  ['perspectives parked loaves --all', 'perspectives release loaves'],
  ['perspectives cancel loaves', 'perspectives cancel loaves'],
  ['perspectives remove loaves', 'perspectives remove loaves'],
  [
    'perspectives clean',
    'perspectives clean table svc_old_per_rolls_1',
    'perspectives clean table svc_old_per_rolls_2',
  ],
  [
    'migrate --clean',
    ...['table svc_old_per_rolls_1', 'table svc_old_per_rolls_2', 'column ovens.heat__svc_old'].map(
      (what) => `migrate clean ${what}`,
    ),
  ],
] as const)
  test(`\`svc ${verb}\` and its record are stored together, or neither is`, () =>
    withStore(async (url) => {
      await execute(url, scene);
      const run = () => svcInProcess(verb.split(' '), { DATABASE_URL: url });
      const before = await changes(url);
      const cut = await whileRecordsAreCut(url, run);
      assert.is(cut.code, 1, cut.stdout);
      assert.equal([await changes(url), await recordedIn(url)], [before, []]);
      const { code, stderr } = await run();
      assert.is(code, 0, stderr);
      assert.not.equal(await changes(url), before);
      assert.equal(await recordedIn(url), records);
    }));

test('of several rows to release, one that is not parked releases none, and nothing is recorded', () =>
  withStore(async (url) => {
    await execute(url, scene);
    const before = await changes(url);
    const { code, stderr } = await svcInProcess(
      ['perspectives', 'parked', 'loaves', '--release', 'rye', '--release', 'bun'],
      { DATABASE_URL: url },
    );
    assert.equal([code, stderr], [1, "svc: loaves has no parked row 'bun'.\n"]);
    assert.equal([await changes(url), await recordedIn(url)], [before, []]);
  }));
