import { isTimestamp } from '../../contracts/scalars.js';
import { mostPlanned, type Repair } from '../../runtime/stuck/repair-plan.js';
import type { StuckFilter } from '../../runtime/stuck/stuck-entries.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

/** What `svc stuck` was asked for. */
type StuckRequest = { readonly json: boolean } & (
  | { readonly action: 'list'; readonly filter: StuckFilter; readonly limit: number }
  | { readonly action: 'show'; readonly id: string }
  | { readonly action: Repair; readonly reason: string; readonly entries: WantedEntries }
);

/** One entry, those of a plan, or all that match: without `yes` they are only counted. */
type WantedEntries =
  | { readonly id: string }
  | { readonly plan: string; readonly filter: StuckFilter }
  | { readonly filter: StuckFilter; readonly limit: number; readonly yes: boolean };

const defaultLimit = 200;
const maxListed = 10_000;

const options = {
  follower: { type: 'string' },
  error: { type: 'string' },
  fingerprint: { type: 'string' },
  since: { type: 'string' },
  tenant: { type: 'string' },
  limit: { type: 'string' },
  plan: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const filters = ['follower', 'error', 'fingerprint', 'since', 'tenant'] as const;

const known = {
  list: ['json', 'limit', ...filters],
  show: ['json'],
  retry: ['json', 'limit', 'yes', 'plan', 'reason', ...filters],
  skip: ['json', 'limit', 'yes', 'plan', 'reason', ...filters],
} as const satisfies Record<string, readonly (keyof typeof options)[]>;

const usage = usageOf('stuck');

const parsed = (args: readonly string[]) => argumentsOf(args, options, usage);

type Values = ReturnType<typeof parsed>['values'];

export function stuckRequestIn(args: readonly string[]): StuckRequest {
  const { values, positionals } = parsed(args);
  const [action, id, ...rest] = positionals;
  if (action !== 'list' && action !== 'show' && action !== 'retry' && action !== 'skip')
    throw usage('Give one action: list, show, retry, skip');
  const names: readonly string[] = known[action];
  const misplaced = Object.keys(values).find((option) => !names.includes(option));
  if (misplaced !== undefined) throw usage(`--${misplaced} is not an option of ${action}`);
  if (rest.length > 0) throw usage('Give one id, in quotes if it has spaces');
  if (id !== undefined && !/^[^\0]{1,2000}$/s.test(id)) throw usage('An id has 1 to 2000 characters');
  const json = values.json === true;
  if (action === 'list') {
    if (id !== undefined) throw usage('svc stuck list takes options, no id');
    return { action, json, filter: filterIn(values), limit: limitIn(values, defaultLimit, maxListed) };
  }
  if (action === 'show') {
    if (id === undefined) throw usage('Give it as svc stuck show ID');
    return { action, json, id };
  }
  const reason = reasonIn(values.reason, usage);
  if (reason === undefined) throw usage(`${action} needs --reason TEXT`);
  return { action, json, reason, entries: entriesIn(values, id) };
}

function entriesIn(values: Values, id: string | undefined): WantedEntries {
  const { yes = false, plan } = values;
  if (id !== undefined) {
    const other = Object.keys(values).find((option) => !['json', 'reason'].includes(option));
    if (other !== undefined) throw usage(`An id names the one entry: leave --${other} out`);
    return { id };
  }
  const filter = filterIn(values);
  if (plan === undefined) return { filter, limit: limitIn(values, mostPlanned, mostPlanned), yes };
  if (!yes) throw usage('--plan acts on the entries of a plan, and needs --yes');
  if (!/^[0-9a-f]{16}$/.test(plan)) throw usage('A plan is named by 16 hexadecimal digits');
  return { plan, filter };
}

/** A filter that nothing matches by mistake is refused: an operator would take it for good news. */
function filterIn({ follower, error, fingerprint, since, tenant }: Values): StuckFilter {
  if (
    follower !== undefined &&
    !/^(?:perspective|reaction|process|effect)(?:\/[a-z][a-z0-9-]*)?$|^(?:timers|outbox|inbox)$/.test(
      follower,
    )
  )
    throw usage(
      `--follower must be perspective/NAME, reaction/NAME, process/NAME, effect/NAME, one of these kinds, timers, outbox or inbox, not '${follower}'`,
    );
  if (error?.trim() === '') throw usage('--error needs a part of the error text');
  if (fingerprint !== undefined && !/^[0-9a-f]{12}$/.test(fingerprint))
    throw usage('A fingerprint has 12 hexadecimal digits; see svc stuck list');
  if (since !== undefined && !isTimestamp(since))
    throw usage(`--since must be a time such as 2026-12-01T00:00:00Z, not '${since}'`);
  if (tenant === '') throw usage('--tenant needs the name of a tenant');
  for (const [name, text] of Object.entries({ error, tenant }))
    if (text !== undefined && (text.length > 500 || text.includes('\0')))
      throw usage(`--${name} must be a text of at most 500 characters`);
  return { follower, error, fingerprint, since, tenant };
}

function limitIn({ limit }: Values, otherwise: number, most: number): number {
  if (limit === undefined) return otherwise;
  const number = /^[1-9]\d{0,6}$/.test(limit) ? Number(limit) : Infinity;
  if (number <= most) return number;
  throw usage(`--limit must be a whole number from 1 to ${most}, not '${limit}'`);
}
