import type { FlagRules } from '../../contracts/flags.js';
import { Problem } from '../../contracts/problems.js';

/**
 * `on` and `off` without anything else hold for everyone and remove every rule; with tenants or users they add rules for
 * these. `set` replaces the parts that it names, and leaves the others.
 */
export interface FlagChange {
  readonly kind: 'on' | 'off' | 'set';
  readonly tenants?: readonly string[] | undefined;
  readonly users?: readonly string[] | undefined;
  readonly percent?: number | undefined;
}

/** Every host keeps all rules in memory, and every change is recorded with all of them. */
const maxRules = 200;

/** The rules of a flag after a change. */
export function changedRules(before: FlagRules, change: FlagChange): FlagRules {
  const { kind, tenants, users, percent } = change;
  if (tenants === undefined && users === undefined && percent === undefined)
    return { on: kind === 'on', tenants: {}, users: {} };
  const part = (known: FlagRules['tenants'], ids: readonly string[] | undefined): FlagRules['tenants'] =>
    ids === undefined ? known : sorted(kind === 'set' ? {} : known, ids, kind !== 'off');
  const after = {
    ...before,
    ...(percent === undefined ? {} : { on: false, percent }),
    tenants: part(before.tenants, tenants),
    users: part(before.users, users),
  };
  if (Object.keys(after.tenants).length + Object.keys(after.users).length > maxRules)
    throw new Problem('invalid-query', {
      detail: `A flag can name at most ${maxRules} tenants and users; use a percentage for more.`,
    });
  return after;
}

const sorted = (known: FlagRules['tenants'], ids: readonly string[], isOn: boolean): FlagRules['tenants'] =>
  Object.fromEntries(
    [...new Map([...Object.entries(known), ...ids.map((id) => [id, isOn] as const)])].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );

/** Both sort their names. */
export const isSameRules = (one: FlagRules, other: FlagRules): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

const inOrder = ({ on, percent, tenants, users }: FlagRules) => [on, percent, pairs(tenants), pairs(users)];
const pairs = (rules: FlagRules['tenants']) => Object.entries(rules).toSorted(([a], [b]) => (a < b ? -1 : 1));
