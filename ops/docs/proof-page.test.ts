import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readChaosArguments } from '../chaos/options.js';
import { foundBugs } from '../proof/found-bugs.js';
import { promises } from '../proof/promises.js';
import { proofPage } from './proof-page.js';
import { closingLine, failedSeeds, readRuns, recordOf, runsIn } from '../proof/recorded-runs.js';

const test = suite('the proof');

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(repository, path), 'utf8');

const run = {
  run: '--scenario history',
  seed: 7,
  at: '2026-11-19',
  commit: '0123456789ab',
  durability: 'local',
  commands: 10,
  faults: 2,
  lost: 0,
  doubled: 0,
  unaudited: 0,
  missing: 0,
  seconds: 5,
  ok: true,
};
const lineOf = (changes: object): string => JSON.stringify({ ...run, ...changes });

test('the page is made from the promises and the recorded runs', async () => {
  assert.is(await read('docs/proof.md'), proofPage(await readRuns()));
});

test('every promise is in the README, and each of its tests and runs exists', async () => {
  const readme = (await read('README.md')).replaceAll(/\s+/g, ' ');
  for (const { promise, words, tests, runs } of promises) {
    assert.ok(readme.includes(words), words);
    assert.ok(tests.length > 0, promise);
    for (const file of tests) assert.ok(existsSync(join(repository, file)), file);
    for (const name of runs) readChaosArguments(name === '' ? [] : name.split(' '), () => 1);
  }
});

test('a bug names the seed of a recorded run', async () => {
  const seeds = new Set((await readRuns()).map(({ run: name, seed }) => `${name} ${seed}`));
  for (const { run: name, seed } of foundBugs) assert.ok(seeds.has(`${name} ${seed}`), `${name} ${seed}`);
});

test('a line that no run has written is refused', () => {
  assert.equal(runsIn(`${lineOf({})}\n`), [run]);
  for (const changes of [
    { run: '--scenario ../x' },
    { commit: 'HEAD' },
    { lost: undefined },
    { lost: -0.5 },
    { at: 'today' },
    { durability: 'x'.repeat(300) },
  ])
    assert.throws(() => runsIn(lineOf(changes)), /Line 1 of proof\/runs.ndjson/);
});

test('what a run counted in ledgers of their own is part of its record', () => {
  const { run: name, at, commit } = run;
  const report = {
    seed: 7,
    commands: 10,
    faults: 2,
    lost: 1,
    seconds: 5,
    ok: false,
    ledgers: { lost: 2, faults: 1 },
  };
  const record = recordOf(report, { run: name, at, commit });
  assert.equal(record, { ...run, faults: 3, lost: 3, ok: false });
});

test('every run ends with the same fields, whatever else it counts', () => {
  const fields = ['seed', 'commands', 'faults', 'lost', 'doubled', 'unaudited', 'missing', 'mode', 'seconds'];
  const line = closingLine({ seed: 7, commands: 10, lost: 1, ok: false });
  assert.equal(Object.keys(JSON.parse(line) as object), [...fields, 'ok']);
  assert.match(line, '"commands":10,"faults":0,"lost":1,"doubled":0');
  assert.match(line, '"missing":0,"mode":"local","seconds":0,"ok":false');
  assert.match(closingLine({ seed: 7, mode: 'sync', seconds: 5, ok: true }), '"mode":"sync","seconds":5');
});

test('a seed that failed is run again, once', () => {
  const runs = [run, { ...run, ok: false }, { ...run, ok: false }, { ...run, seed: 8 }];
  assert.equal(failedSeeds(runs), [{ run: run.run, seed: 7 }]);
});
