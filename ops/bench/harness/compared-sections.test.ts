import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { comparedSections } from './compared-sections.js';
import type { SectionJson } from './report.js';

const test = suite('bench compared sections');

const sectionOf = (rounds: SectionJson['rounds'], title = 'appends'): SectionJson => ({
  title,
  figures: ['events/s', 'CPU µs', 'p99 ms', 'failed'],
  baseline: 'ours',
  rounds,
  missing: [],
});

const turns = [
  { ours: [sectionOf({ ours: [{ 'events/s': 10 }] })], earlier: [sectionOf({ ours: [{ 'events/s': 20 }] })] },
  { ours: [sectionOf({ ours: [{ 'events/s': 11 }] })], earlier: [sectionOf({ ours: [{ 'events/s': 22 }] })] },
];

test('each variant stands above itself in the earlier build, with the figures of all turns', () => {
  const [section] = comparedSections(turns, '1a2b3c4');
  assert.equal(Array.from(section?.rounds ?? []), [
    ['ours', [{ 'events/s': 10 }, { 'events/s': 11 }]],
    ['ours, 1a2b3c4', [{ 'events/s': 20 }, { 'events/s': 22 }]],
  ]);
});

test('rates may not fall and costs may not rise; the slowest and plain counts are not compared', () => {
  const [section] = comparedSections(turns, '1a2b3c4');
  assert.equal(section?.targets, [
    { figure: 'events/s', of: 'ours', against: 'ours, 1a2b3c4', atLeast: 0.97 },
    { figure: 'CPU µs', of: 'ours', against: 'ours, 1a2b3c4', atMost: 1.03 },
  ]);
});

test('a section whose title has changed is compared with the one in its place', () => {
  const [turn] = turns;
  const renamed = sectionOf({ ours: [{ 'events/s': 20 }] }, 'append');
  const [section] = comparedSections([{ ours: turn?.ours ?? [], earlier: [renamed] }], '1a2b3c4');
  assert.ok(section?.rounds.has('ours, 1a2b3c4'));
});

test('what the earlier build cannot measure is named with the reason', () => {
  const [turn] = turns;
  const [section] = comparedSections(
    [{ ours: turn?.ours ?? [], earlier: [] }],
    '1a2b3c4',
    'There are no lists.',
  );
  assert.equal(section?.missing, [{ variant: '1a2b3c4', reason: 'There are no lists.' }]);
  assert.equal(section?.targets, []);
});
