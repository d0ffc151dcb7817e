import { Problem } from '../../../contracts/problems.js';
import type { BackendRef, RouteMatch, RouteRule } from './objects.js';

/** The Services behind the two sides of a deployment. */
export interface Backends {
  readonly old: string;
  readonly new: string;
}

const header = 'x-canary';
/** The limit of the Gateway API. */
const mostRules = 16;

/** The share of requests to the new side, in percent; undefined if no rule leads to either side. */
export function shareOf(rules: readonly RouteRule[], backends: Backends): number | undefined {
  const refs = splitRules(rules, backends)[0]?.backendRefs ?? [];
  const weightOf = (name: string): number =>
    refs.filter((ref) => ref.name === name).reduce((sum, { weight = 1 }) => sum + weight, 0);
  const [before, after] = [weightOf(backends.old), weightOf(backends.new)];
  return before + after === 0 ? undefined : (100 * after) / (before + after);
}

/** Both weights are in one object: it never says that neither side gets requests. */
export function withShare(
  rules: readonly RouteRule[],
  backends: Backends,
  toNew: number,
): readonly RouteRule[] {
  const ours = splitRules(rules, backends);
  if (ours.length === 0) throw noRule(backends);
  return rules.map((rule) =>
    ours.includes(rule) ? { ...rule, backendRefs: split(rule, backends, toNew) } : rule,
  );
}

/** With rules in front that let the header choose the side. */
export function withHeaderRules(rules: readonly RouteRule[], backends: Backends): readonly RouteRule[] {
  const others = withoutHeaderRules(rules);
  const ours = splitRules(others, backends);
  if (ours.length === 0) throw noRule(backends);
  const forced = ours.flatMap((rule) => [
    forcedRule(rule, 'always', backends.new),
    forcedRule(rule, 'never', backends.old),
  ]);
  if (forced.length + others.length > mostRules)
    throw new Problem('invalid-setup', {
      detail: `The route has too many rules: with those for ${header} there would be more than ${mostRules}.`,
    });
  return [...forced, ...others];
}

export const withoutHeaderRules = (rules: readonly RouteRule[]): readonly RouteRule[] =>
  rules.filter((rule) => !isForced(rule));

/** Rules that share requests between the two sides, or send them to one of them. */
const splitRules = (rules: readonly RouteRule[], backends: Backends): readonly RouteRule[] =>
  withoutHeaderRules(rules).filter(({ backendRefs = [] }) =>
    backendRefs.some(({ name }) => isSide(name, backends)),
  );

const isSide = (name: string, backends: Backends): boolean => name === backends.old || name === backends.new;

function split(rule: RouteRule, backends: Backends, toNew: number): readonly BackendRef[] {
  const refs = rule.backendRefs ?? [];
  if (refs.some(({ name }) => !isSide(name, backends)))
    throw new Problem('invalid-setup', {
      detail: `A rule of the route leads to ${backends.old} or ${backends.new} and to others; give the others a rule of their own.`,
    });
  return [
    { ...refTo(rule, backends.old), weight: 100 - toNew },
    { ...refTo(rule, backends.new), weight: toNew },
  ];
}

/** A side that the rule does not name yet is reached like the other one. */
function refTo({ backendRefs = [] }: RouteRule, name: string): BackendRef {
  const { weight: _, ...ref } = backendRefs.find((each) => each.name === name) ??
    backendRefs[0] ?? { name, weight: 0 };
  return { ...ref, name };
}

function forcedRule(rule: RouteRule, value: 'always' | 'never', backend: string): RouteRule {
  // Names of rules are unique in a route.
  const { name: _, ...rest } = rule;
  const matches: readonly RouteMatch[] = rule.matches ?? [{ path: { type: 'PathPrefix', value: '/' } }];
  return {
    ...rest,
    matches: matches.map((match) => ({
      ...match,
      headers: [...(match.headers ?? []), { type: 'Exact', name: header, value }],
    })),
    backendRefs: [{ ...refTo(rule, backend), weight: 1 }],
  };
}

const isForced = ({ matches = [] }: RouteRule): boolean =>
  matches.length > 0 &&
  matches.every(({ headers = [] }) => headers.some(({ name }) => name.toLowerCase() === header));

const noRule = (backends: Backends): Problem =>
  new Problem('invalid-setup', {
    detail: `The route leads neither to ${backends.old} nor to ${backends.new}: name both in backendRefs of one rule.`,
  });
