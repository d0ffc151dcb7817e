import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readChaosArguments } from './options.js';
import { effectScenarios } from './effects/all-effects.js';
import { ledgerScenarios } from './ledgers/ledger-scenarios.js';
import { scenarios } from './scenarios/all.js';

const test = suite('chaos options');
const drawn = () => 5;

test('seed, kills and seconds are whole numbers; a missing seed is drawn at random', () => {
  assert.equal(readChaosArguments(['--seed', '7', '--kills', '3', '--seconds', '60'], drawn), {
    seed: 7,
    kills: 3,
    seconds: 60,
    only: undefined,
    cluster: false,
    minutes: undefined,
    simulate: false,
    commands: undefined,
    scenarios: [],
    failover: undefined,
    run: '--kills 3 --seconds 60',
    record: false,
  });
  const none = {
    kills: undefined,
    seconds: undefined,
    only: undefined,
    cluster: false,
    minutes: undefined,
    simulate: false,
    commands: undefined,
    scenarios: [],
    failover: undefined,
    record: false,
  };
  assert.equal(readChaosArguments([], drawn), { ...none, run: '', seed: 5 });
  const cluster = readChaosArguments(['--cluster', '--commands', '300'], drawn);
  assert.equal(cluster, { ...none, run: '--cluster --commands 300', seed: 5, cluster: true, commands: 300 });
});

test('a mixed run lasts for minutes, and nothing else is chosen', () => {
  assert.is(readChaosArguments(['--minutes', '10', '--json'], drawn).minutes, 10);
  assert.throws(() => readChaosArguments(['--minutes', '10', '--kills', '3'], drawn), /--minutes can be/);
});

test('a simulation runs one seed, or those after it for minutes, and nothing else is chosen', () => {
  const { simulate, minutes, run } = readChaosArguments(['--simulate', '--minutes', '3'], drawn);
  assert.equal([simulate, minutes, run], [true, 3, '--simulate --minutes 3']);
  assert.is(readChaosArguments(['--simulate', '--seed', '7'], drawn).minutes, undefined);
  assert.throws(() => readChaosArguments(['--simulate', '--kills', '3'], drawn), /--simulate can be/);
});

test('a run is recorded with what repeats it', () => {
  const { run, record } = readChaosArguments(['--scenario', 'once', '--seed', '7', '--record'], drawn);
  assert.equal([run, record], ['--scenario once', true]);
});

test('one kind of fault may be selected', () => {
  assert.is(readChaosArguments(['--only', 'stop-postgres'], drawn).only, 'stop-postgres');
});

test('a scenario is selected by its name, or all of them', () => {
  assert.equal(readChaosArguments(['--scenario', 'read-only'], drawn).scenarios, ['read-only']);
  const all = [
    ...Object.keys(scenarios),
    ...Object.keys(ledgerScenarios),
    ...Object.keys(effectScenarios),
    'history',
  ];
  assert.equal(readChaosArguments(['--scenario', 'all'], drawn).scenarios, all);
});

test('a failover has its own mode, rounds and faults; without them each fault happens in sync mode', () => {
  const { failover } = readChaosArguments(['--failover'], drawn);
  assert.equal(failover, { mode: 'sync', rounds: undefined, only: undefined });
  const chosen = readChaosArguments(['--failover', '--rounds', '2', '--only', 'switchover'], drawn);
  assert.equal(chosen.failover, { mode: 'sync', rounds: 2, only: 'switchover' });
  assert.is(readChaosArguments(['--failover', '--mode', 'async'], drawn).failover?.mode, 'async');
});

test('anything else is refused with an example', () => {
  for (const args of [
    ['--seed', 'x'],
    ['--kills', '-1'],
    ['--seed'],
    ['--loud'],
    ['more'],
    ['--commands', '3'],
    ['--only', 'rain'],
    ['--cluster', '--only', 'kill'],
    ['--cluster', '--kills', '3'],
    ['--scenario', 'rain'],
    ['--scenario', 'poison', '--kills', '3'],
    ['--rounds', '3'],
    ['--mode', 'sync'],
    ['--failover', '--mode', 'rain'],
    ['--failover', '--only', 'kill'],
    ['--failover', '--mode', 'async', '--only', 'switchover'],
    ['--failover', '--cluster'],
    ['--failover', '--rounds', 'x'],
  ])
    assert.throws(() => readChaosArguments(args, drawn), /npm run chaos -- --seed N/);
});
