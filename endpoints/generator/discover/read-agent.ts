import { isDuration } from '../../../contracts/scalars.js';
import { millisecondsOf } from '../../../runtime/timers/duration.js';
import { ts } from '../compiler.js';
import type { AgentModel } from '../model/service-model.js';
import { memberOf, valueOf } from './literals.js';
import { literalValue } from './properties.js';
import { readPermission } from './read-permission.js';
import type { Reading } from './reading.js';

type Check = readonly [isValid: (value: unknown) => boolean, description: string];

const wholeUpTo =
  (most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
const toolName: Check = [
  (value) => typeof value === 'string' && /^[a-z0-9_]{1,64}$/.test(value),
  'must have 1 to 64 of a to z, 0 to 9 and _',
];

/** The options of a command. */
const commandOptions: Readonly<Record<string, Check>> = {
  name: toolName,
  destructive: [(value) => typeof value === 'boolean', 'must be true or false'],
  perMinute: [wholeUpTo(100_000), 'must be a whole number from 1 to 100,000'],
  // It holds a permission, so it is read by itself.
  approval: [() => false, "must be written out: approval: Permission.of('orders', 'approve')"],
};

/** The options of a perspective. */
export const readOptions: Readonly<Record<string, Check>> = {
  name: toolName,
  fields: [
    (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
    'must list names of fields',
  ],
  rows: [wholeUpTo(100), 'must be a whole number from 1 to 100'],
};

/** `agent` of a command: as of a perspective, and `approval`, which holds a permission. */
export function readCommandAgent(value: ts.Expression | undefined, reading: Reading): AgentModel | undefined {
  const options = value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined;
  const rule = options && memberOf(options, 'approval');
  if (options === undefined || rule === undefined) return readAgent(value, commandOptions, reading);
  const others = options.properties.filter((property) => property !== rule).map(literalEntry);
  const written = others.every((entry) => entry !== undefined) ? Object.fromEntries(others) : undefined;
  const agent = checkedAgent(options, written, commandOptions, reading);
  const approval = approvalIn(rule, reading);
  return agent === undefined || approval === undefined ? undefined : { ...agent, approval };
}

const literalEntry = (property: ts.ObjectLiteralElementLike): [string, unknown] | undefined =>
  ts.isPropertyAssignment(property) && ts.isIdentifier(property.name)
    ? [property.name.text, literalValue(property.initializer)?.value]
    : undefined;

/** The permission of `approval: Permission.of(…)`, or of `approval: { by: Permission.of(…), within: 'PT1H' }`. */
function approvalIn(rule: ts.ObjectLiteralElementLike, reading: Reading): string | undefined {
  const value = valueOf(rule) ?? rule.name;
  const parts = value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined;
  const by = parts === undefined ? value : valueOf(memberOf(parts, 'by'));
  const within = parts && valueOf(memberOf(parts, 'within'));
  const isKnown =
    parts?.properties.every(({ name }) => /^(?:by|within)$/.test(name?.getText() ?? '')) ?? true;
  if (by === undefined || !isKnown || !ts.isExpression(by) || !isWithin(within)) {
    const why =
      "write approval as Permission.of('orders', 'approve'), or as { by: Permission.of(…), within: 'PT1H' } with at most P30D";
    reading.error('SVC1083', rule, why);
    return undefined;
  }
  const permission = readPermission(by, reading);
  if (permission === undefined || permission.includes(':')) return permission;
  reading.error('SVC1083', by, 'who decides about an approval needs a permission of its own');
  return undefined;
}

const longestMs = 30 * 86_400_000;

function isWithin(value: ts.Expression | undefined): boolean {
  if (value === undefined) return true;
  const text = literalValue(value)?.value;
  if (typeof text !== 'string' || !isDuration(text) || text.startsWith('-')) return false;
  const ms = millisecondsOf(text, 'within');
  return ms > 0 && ms <= longestMs;
}

/** `true`, or an object literal of literals. */
export function readAgent(
  value: ts.Expression | undefined,
  options: Readonly<Record<string, Check>>,
  reading: Reading,
): AgentModel | undefined {
  if (value === undefined) return undefined;
  return checkedAgent(value, literalValue(value)?.value, options, reading);
}

function checkedAgent(
  value: ts.Expression,
  written: unknown,
  options: Readonly<Record<string, Check>>,
  reading: Reading,
): AgentModel | undefined {
  if (written === true) return {};
  const names = Object.keys(options).join(', ');
  if (written === null || typeof written !== 'object' || Array.isArray(written)) {
    reading.error('SVC1083', value, `write agent as true, or as an object literal with ${names}`);
    return undefined;
  }
  for (const [option, given] of Object.entries(written)) {
    const [isValid, description] = options[option] ?? [() => false, `is not known; use ${names}`];
    if (!isValid(given)) reading.error('SVC1083', value, `the option '${option}' of agent ${description}`);
  }
  return written;
}
