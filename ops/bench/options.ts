import { parseArgs } from 'node:util';
import { Problem } from '../../contracts/problems.js';

export const suiteNames = [
  'http',
  'lifecycle',
  'agents',
  'append',
  'transport',
  'audit',
  'segments',
  'import',
  'generate',
  'graphql',
  'inspect',
  'auth',
  'tail',
  'overload',
  'live',
  'perspectives',
  'reads',
  'rebuild',
  'stuck',
  'supervise',
  'column-copy',
  'lists',
  'deciders',
  'effects',
  'tenants',
  'webhooks',
  'reactions',
  'transfers',
  'stores',
  'peers',
  'growth',
  'event-store',
] as const;

export type SuiteName = (typeof suiteNames)[number];

interface BenchOptions {
  readonly suites: readonly SuiteName[];
  readonly rounds: number;
  /** Per measurement; each suite has its own default. */
  readonly seconds: number | undefined;
  /** Also measures the audit behind this many records; the most that growth stores. */
  readonly records: number | undefined;
  /** Sizes of histories, tables and loads are multiplied by it. */
  readonly scale: number;
  /** Leaves out the peers, which npm installs on first use. */
  readonly isAlone: boolean;
  /** A commit to compare with. */
  readonly against: string | undefined;
  /** Whether a figure below its bar fails the run. */
  readonly isStrict: boolean;
  readonly json: boolean;
  /** Publishes the figures on `docs/benchmarks.md`. */
  readonly record: boolean;
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const suites = positionals.map(suiteOf);
  return {
    suites: suites.length > 0 ? suites : suiteNames,
    rounds: values.rounds === undefined ? 5 : Math.ceil(positive('--rounds', values.rounds)),
    seconds: values.seconds === undefined ? undefined : positive('--seconds', values.seconds),
    scale: values.scale === undefined ? 1 : positive('--scale', values.scale),
    isAlone: values.alone,
    records: values.records === undefined ? undefined : Math.ceil(positive('--records', values.records)),
    against: values.against,
    isStrict: values.strict,
    json: values.json,
    record: values.record,
  };
}

const usage = `npm run bench [-- ${suiteNames.join('|')}] [--rounds N] [--seconds S] [--records N] [--scale S] [--alone] [--against COMMIT] [--strict] [--json] [--record]`;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        records: { type: 'string' },
        scale: { type: 'string' },
        alone: { type: 'boolean', default: false },
        against: { type: 'string' },
        strict: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new Problem('usage', { detail: usage, cause });
  }
}

function suiteOf(text: string): SuiteName {
  const name = suiteNames.find((candidate) => candidate === text);
  if (name === undefined) throw new Problem('usage', { detail: `There is no bench '${text}'. ${usage}` });
  return name;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Problem('usage', { detail: `${option} must be a number above 0. ${usage}` });
}
