import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { meetsTargets, type Section, sectionJson, sectionLines } from './report.js';

const test = suite('bench report');

const section: Section = {
  title: 'POST /orders',
  figures: ['req/s'],
  baseline: 'plain',
  rounds: new Map([
    ['plain', [{ 'req/s': 1000 }, { 'req/s': 2000 }]],
    ['ours', [{ 'req/s': 800 }, { 'req/s': 1600 }]],
  ]),
  targets: [{ figure: 'req/s', of: 'ours', against: 'plain', atLeast: 0.75, aim: 0.9 }],
  missing: [{ variant: 'NestJS', reason: 'no network' }],
};

test('every variant is reported with its figures and its ratio to the baseline', () => {
  const line = sectionLines(section).find((each) => each.startsWith('ours'));
  assert.match(line ?? '', /^ours +1 200 \[1 000–1 400\] +0\.80 \[0\.80–0\.80\]$/);
});

test('a target shows the result and the requirement', () => {
  assert.ok(
    sectionLines(section).includes('pass  req/s: ours / plain = 0.80 [0.80–0.80], required ≥ 0.75, aim 0.9'),
  );
});

test('a missing peer is named', () => {
  assert.ok(sectionLines(section).includes('not measured: NestJS (no network)'));
});

test('the JSON report has every round', () => {
  const json = JSON.parse(JSON.stringify(sectionJson(section))) as {
    rounds: Record<string, unknown>;
    bars: { verdict: string }[];
  };
  assert.equal(json.rounds['ours'], [{ 'req/s': 800 }, { 'req/s': 1600 }]);
  assert.is(json.bars[0]?.verdict, 'pass');
});

test('a section meets its targets if each figure reaches its bar and nothing is missing', () => {
  const rounds = new Map([
    ['ours', [{ speed: 2 }]],
    ['theirs', [{ speed: 1 }]],
  ]);
  const sectionWith = (atLeast: number, missing: Section['missing'] = []): Section => ({
    title: '',
    figures: ['speed'],
    baseline: 'theirs',
    rounds,
    targets: [{ figure: 'speed', of: 'ours', against: 'theirs', atLeast }],
    missing,
  });
  assert.ok(meetsTargets(sectionWith(1.9)));
  assert.ok(meetsTargets(sectionWith(1.9, [{ variant: 'a peer', reason: '--alone' }])));
  assert.not.ok(meetsTargets(sectionWith(2.1)));
  assert.not.ok(meetsTargets(sectionWith(1.9, [{ variant: '44c6d58', reason: 'its suite fails' }])));
});
