import { parseArgs } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import { type Fault, faultKinds } from './harness/fault-plan.js';
import { type FailoverFault, failoverFaults } from './failover/failover-plan.js';
import type { FailoverMode } from './failover/failover-scene.js';
import { effectScenarios } from './effects/all-effects.js';
import { ledgerScenarios } from './ledgers/ledger-scenarios.js';
import { scenarios } from './scenarios/all.js';

export interface ChaosArguments {
  readonly seed: number;
  /** The arguments without the seed. */
  readonly run: string;
  readonly kills: number | undefined;
  readonly seconds: number | undefined;
  /** The only kind of fault; unset: all kinds. */
  readonly only: Fault['kind'] | undefined;
  /** Two hosts, a monitor and a broker instead of one host. */
  readonly cluster: boolean;
  readonly commands: number | undefined;
  /** All kinds of work and of faults together, for so long. */
  readonly minutes: number | undefined;
  /** Without servers, in a simulated time. */
  readonly simulate: boolean;
  /** Scenarios, by name. */
  readonly scenarios: readonly string[];
  /** Adds the run to proof/runs.ndjson and its page. */
  readonly record: boolean;
  /** Servers of PostgreSQL and NATS are lost; unset: there is one of each. */
  readonly failover: FailoverArguments | undefined;
}

interface FailoverArguments {
  readonly mode: FailoverMode;
  readonly rounds: number | undefined;
  /** The only fault; unset: all of them. */
  readonly only: FailoverFault | undefined;
}

const options = {
  seed: { type: 'string' },
  kills: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  cluster: { type: 'boolean' },
  commands: { type: 'string' },
  scenario: { type: 'string' },
  failover: { type: 'boolean' },
  mode: { type: 'string' },
  rounds: { type: 'string' },
  minutes: { type: 'string' },
  simulate: { type: 'boolean' },
  record: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** A missing seed is drawn at random and printed with the result, so that every run can be repeated. */
export function readChaosArguments(args: readonly string[], draw: () => number): ChaosArguments {
  const { values } = parsed(args);
  const cluster = values.cluster === true;
  const seed = wholeNumber(values.seed, 'seed') ?? draw();
  const record = values.record === true;
  const run = runOf(values);
  if (values.failover === true) return { ...nothing, seed, run, record, failover: failoverOf(values) };
  if (values.mode !== undefined || values.rounds !== undefined)
    throw usage('--mode and --rounds need --failover');
  const foreign = (cluster ? (['kills', 'seconds', 'only'] as const) : (['commands'] as const)).find(
    (name) => values[name] !== undefined,
  );
  if (foreign !== undefined)
    throw usage(`--${foreign} ${cluster ? 'cannot be combined with' : 'needs'} --cluster`);
  const minutes = wholeNumber(values.minutes, 'minutes');
  const simulate = values.simulate === true;
  const hasOthers = (than: readonly string[]): boolean =>
    Object.keys(values).some((name) => !than.includes(name));
  if (simulate && hasOthers(withSimulate))
    throw usage('--simulate can be combined with --seed, --minutes and --record only');
  if (minutes !== undefined && !simulate && hasOthers(withMinutes))
    throw usage('--minutes can be combined with --seed and --record only');
  const faults = scenariosOf(values.scenario);
  if (faults.length > 0 && hasOthers(withScenario))
    throw usage('--scenario can be combined with --seed and --record only');
  return {
    ...nothing,
    cluster,
    minutes,
    simulate,
    scenarios: faults,
    commands: wholeNumber(values.commands, 'commands'),
    seed,
    run,
    record,
    kills: wholeNumber(values.kills, 'kills'),
    seconds: wholeNumber(values.seconds, 'seconds'),
    only: kindOf(values.only),
  };
}

const runOf = (values: Readonly<Record<string, string | boolean | undefined>>): string =>
  Object.entries(values)
    .filter(([name]) => !always.includes(name))
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${String(value)}`))
    .join(' ');

const nothing = {
  minutes: undefined,
  simulate: false,
  cluster: false,
  scenarios: [],
  commands: undefined,
  kills: undefined,
  seconds: undefined,
  only: undefined,
  failover: undefined,
} as const;

/** The closing line is always JSON. */
const always = ['seed', 'record', 'json'];
const withMinutes = ['minutes', ...always];
const withSimulate = ['simulate', ...withMinutes];
const withScenario = ['scenario', ...always];
const withFailover = ['failover', 'mode', 'rounds', 'only', ...always];

function failoverOf(values: Readonly<Record<string, string | boolean | undefined>>): FailoverArguments {
  const foreign = Object.keys(values).find((name) => !withFailover.includes(name));
  if (foreign !== undefined) throw usage(`--${foreign} cannot be combined with --failover`);
  const { mode = 'sync', rounds, only } = values;
  if (mode !== 'sync' && mode !== 'async') throw usage(`--mode must be sync or async, not '${String(mode)}'`);
  if (mode === 'async' && only !== undefined) throw usage('--only cannot be combined with --mode async');
  const fault = failoverFaults.find((each) => each === only);
  if (only !== undefined && fault === undefined)
    throw usage(`--only must be one of ${failoverFaults.join(', ')}, not '${String(only)}'`);
  return { mode, rounds: wholeNumber(rounds as string | undefined, 'rounds'), only: fault };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw usage((error as Error).message.split('.')[0] ?? '');
  }
}

function scenariosOf(text: string | undefined): readonly string[] {
  const names = [
    ...Object.keys(scenarios),
    ...Object.keys(ledgerScenarios),
    ...Object.keys(effectScenarios),
    'history',
  ];
  if (text === undefined) return [];
  if (text === 'all') return names;
  if (names.includes(text)) return [text];
  throw usage(`--scenario must be all or one of ${names.join(', ')}, not '${text}'`);
}

function kindOf(text: string | undefined): Fault['kind'] | undefined {
  if (text === undefined) return undefined;
  const kind = faultKinds.find((each) => each === text);
  if (kind === undefined) throw usage(`--only must be one of ${faultKinds.join(', ')}, not '${text}'`);
  return kind;
}

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`--${name} must be a whole number, not '${text}'`);
}

const usage = (detail: string): Problem =>
  new Problem('usage', {
    detail: `${detail}; npm run chaos -- --seed N [--seconds S] [--kills K] [--only kill] or --seed N --cluster [--commands C] or --seed N --scenario NAME|all or --seed N --minutes M or --seed N --simulate [--minutes M] or --seed N --failover [--mode sync|async] [--rounds R] [--only switchover]; --record adds the run to proof/runs.ndjson.`,
  });
