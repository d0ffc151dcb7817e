import { isFlagName } from '../../contracts/flags.js';
import { serviceWide } from '../../contracts/perspective-scope.js';
import type { FlagChange } from '../../runtime/flags/flag-change.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

/** A checked call of `svc flags`. */
export type FlagsArguments = { readonly json: boolean } & (
  | { readonly action: 'list' }
  | {
      readonly action: 'change';
      readonly name: string;
      readonly change: FlagChange;
      readonly reason: string | undefined;
      readonly isNew: boolean;
    }
);

const options = {
  tenant: { type: 'string', multiple: true },
  user: { type: 'string', multiple: true },
  percent: { type: 'string' },
  reason: { type: 'string' },
  new: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export function parseFlags(args: readonly string[]): FlagsArguments {
  const { values, positionals } = argumentsOf(args, options, usageOfFlags);
  const [action = '', name, ...rest] = positionals;
  const json = values.json === true;
  const kind = kinds.find((one) => one === action);
  if (
    rest.length > 0 ||
    (kind === undefined && action !== 'list') ||
    (kind === undefined) !== (name === undefined)
  )
    throw usageOfFlags('Give one action: svc flags list, or on, off or set with one NAME');
  if (kind === undefined || name === undefined) {
    const [foreign] = Object.keys(values).filter((one) => one !== 'json');
    if (foreign !== undefined) throw usageOfFlags(`--${foreign} is not an option of list`);
    return { action: 'list', json };
  }
  if (!isFlagName(name))
    throw usageOfFlags(`'${name}' cannot be the name of a flag: use up to 100 letters, digits and . _ : / -`);
  const change: FlagChange = {
    kind,
    tenants: values.tenant?.map((id) => idIn(id, 'tenant')),
    users: values.user?.map((id) => idIn(id, 'user')),
    percent: values.percent === undefined ? undefined : percentIn(values.percent),
  };
  if (kind === 'off' && change.percent !== undefined)
    throw usageOfFlags('off takes no --percent; svc flags set NAME --percent N sets a share');
  if (kind === 'set' && (change.tenants ?? change.users ?? change.percent) === undefined)
    throw usageOfFlags('Nothing to set: give --percent, --tenant or --user');
  return {
    action: 'change',
    name,
    change,
    reason: reasonIn(values.reason, usageOfFlags),
    isNew: values.new === true,
    json,
  };
}

const kinds = ['on', 'off', 'set'] as const;

function percentIn(text: string): number {
  const percent = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : NaN;
  if (percent <= 100) return percent;
  throw usageOfFlags(`--percent must be a number from 0 to 100 with at most two decimals, not '${text}'`);
}

/** What no identity can hold would never be found. */
function idIn(text: string, kind: string): string {
  const isTaken = kind === 'tenant' && text === serviceWide;
  if (!isTaken && text.trim() === text && text !== '' && text.length <= 256 && !/\p{Cc}/u.test(text))
    return text;
  throw usageOfFlags(`'${text}' cannot be the id of a ${kind}`);
}

export const usageOfFlags = usageOf('flags');
