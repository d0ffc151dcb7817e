import type { Problem } from '../../../contracts/problems.js';
import type { DeploymentOptions } from '../steps.js';

type Usage = (detail: string) => Problem;

/** The options that are numbers, as they are typed. */
export type OptionTexts = Partial<Record<Numbers | Durations | 'stages', string>>;

type Numbers = 'replicas' | 'max-errors' | 'min-sample' | 'max-unavailable' | 'max-surge' | 'keep';
type Durations = 'stage-time' | 'hold' | 'ready-timeout' | 'step-timeout';

const numbers: Readonly<Record<Numbers, readonly [keyof DeploymentOptions, least: number, most: number]>> = {
  replicas: ['replicas', 1, 1_000],
  'max-errors': ['maxErrors', 0, 100],
  'min-sample': ['minSample', 1, 1_000_000],
  'max-unavailable': ['maxUnavailable', 0, 1_000],
  'max-surge': ['maxSurge', 0, 1_000],
  keep: ['keep', 0, 1_000],
};

const durations: Readonly<Record<Durations, keyof DeploymentOptions>> = {
  'stage-time': 'stageMs',
  hold: 'holdMs',
  'ready-timeout': 'readyMs',
  'step-timeout': 'stepMs',
};

export function deploymentOptionsIn(texts: OptionTexts, usage: Usage): Partial<DeploymentOptions> {
  const given: [keyof DeploymentOptions, unknown][] = [];
  for (const [name, [field, least, most]] of Object.entries(numbers)) {
    const text = texts[name as Numbers];
    if (text !== undefined) given.push([field, numberIn(name, text, least, most, usage)]);
  }
  for (const [name, field] of Object.entries(durations)) {
    const text = texts[name as Durations];
    if (text !== undefined) given.push([field, millisecondsIn(name, text, usage)]);
  }
  if (texts.stages !== undefined) given.push(['stages', stagesIn(texts.stages, usage)]);
  return Object.fromEntries(given);
}

function numberIn(name: string, text: string, least: number, most: number, usage: Usage): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw usage(`--${name} must be a whole number from ${least} to ${most}, not '${text}'`);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsIn(name: string, text: string, usage: Usage): number {
  const [, digits, unit = ''] = /^(\d{1,7})(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(digits) * (units[unit] ?? NaN);
  if (value <= 7 * 24 * 3_600_000) return value;
  throw usage(`--${name} must be a time such as 30s, 5m or 1h, at most a week, not '${text}'`);
}

function stagesIn(text: string, usage: Usage): readonly number[] {
  const stages = text.split(',', 101).map((part) => (/^\d{1,3}$/.test(part.trim()) ? Number(part) : NaN));
  const rises = stages.every((share, at) => share > (stages[at - 1] ?? 0));
  if (rises && stages.at(-1) === 100) return stages;
  throw usage(`--stages must be rising percentages that end with 100, such as 10,50,100, not '${text}'`);
}
