import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { runMixed } from './run-mixed.js';

const test = suite('all kinds of work while faults happen');

/** Each of these says itself whether it has happened. */
const once = [
  'set the clock of a host',
  'restart all hosts, one by one',
  'deploy a revision',
  'fill the disk of the database',
  'promote the standby',
] as const;

test('a wrong clock, a full disk, a promoted standby, a deployment and a rolling restart happen, and all ledgers agree', async () => {
  const report = await runMixed({ seed: 5, minutes: 30, once, printProgress: () => undefined });
  assert.equal(report.byKind, Object.fromEntries(once.map((kind) => [kind, 1])), JSON.stringify(report));
  assert.equal([report.mode, report.faults], ['sync', once.length]);
  const { lost, doubled, unaudited, missing } = report;
  assert.equal({ lost, doubled, unaudited, missing }, { lost: 0, doubled: 0, unaudited: 0, missing: 0 });
  assert.ok(report.ok, JSON.stringify(report));
});
