import type { ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { AgentModel } from '../model/service-model.js';
import { literalValue } from './properties.js';

type Check = readonly [isValid: (value: unknown) => boolean, description: string];

const wholeUpTo =
  (most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
const name: Check = [
  (value) => typeof value === 'string' && /^[a-z0-9_]{1,64}$/.test(value),
  'must have 1 to 64 of a to z, 0 to 9 and _',
];

/** The options of a command. */
export const commandOptions: Readonly<Record<string, Check>> = {
  name,
  destructive: [(value) => typeof value === 'boolean', 'must be true or false'],
  perMinute: [wholeUpTo(100_000), 'must be a whole number from 1 to 100,000'],
};

/** The options of a perspective. */
export const readOptions: Readonly<Record<string, Check>> = {
  name,
  fields: [
    (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
    'must list names of fields',
  ],
  rows: [wholeUpTo(100), 'must be a whole number from 1 to 100'],
};

/** `true`, or an object literal of literals. */
export function readAgent(
  value: ts.Expression | undefined,
  options: Readonly<Record<string, Check>>,
  diagnostics: Diagnostics,
): AgentModel | undefined {
  if (value === undefined) return undefined;
  const written = literalValue(value)?.value;
  if (written === true) return {};
  const names = Object.keys(options).join(', ');
  if (written === null || typeof written !== 'object' || Array.isArray(written)) {
    diagnostics.error('SVC1083', value, `write agent as true, or as an object literal with ${names}`);
    return undefined;
  }
  for (const [option, given] of Object.entries(written)) {
    const [isValid, description] = options[option] ?? [() => false, `is not known; use ${names}`];
    if (!isValid(given))
      diagnostics.error('SVC1083', value, `the option '${option}' of agent ${description}`);
  }
  return written;
}
