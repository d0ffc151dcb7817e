import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { adoptReaction, type Adoption, releaseKeys, skipKey } from '../../runtime/reactions/operate.js';
import {
  countKeys,
  type ListedKey,
  type ListedReaction,
  listKeys,
  listReactions,
} from '../../runtime/reactions/reaction-lists.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import { planRelease, releaseAll } from '../../runtime/stuck/release-all.js';
import { mostPlanned } from '../../runtime/stuck/repair-plan.js';
import { carryOutShown } from './carry-out-shown.js';
import {
  moreThan,
  type OperatorAction,
  type OperatorInput,
  type OperatorResult,
  operatorVerb,
} from './operator-verb.js';

const help = `
svc reactions list
svc reactions parked [NAME]
svc reactions release NAME [KEY] [--reason R]
svc reactions skip NAME KEY [--at POSITION] --reason R
svc reactions adopt OLD NEW [--reason R] [--force]

list shows the reactions and processes: their positions, how far they are behind the log, and how many keys are being
retried or parked.
  orphan: no host runs it, and the host that started last does not have it, because it was renamed or removed
parked shows the keys that were set aside because an event failed, with the error; later events of the key wait.
release lets running hosts try parked keys again at once: KEY, or all of NAME, in chunks of 50. If that is
interrupted, svc stuck retry --yes --plan TOKEN continues with the printed token. A host with a newer version of the
application releases parked keys by itself.
skip gives up the event that parked KEY, never a later one: that event is not handled, and this cannot be undone. NAME is
a reaction or a process. Another operator may have skipped it first: with --at, skip gives up only the event at that
position.
adopt lets the renamed reaction NEW continue from the position of OLD, with its keys; without it, NEW starts at the head
of the log. It refuses while a host runs OLD, or if NEW has begun. To rename a reaction without losing events: stop the
hosts, adopt, start the hosts that have NEW. With --force, OLD stops at once, and events wait until a host has NEW; if
NEW has begun, it goes back to the position of OLD, and handles the events since then again.
The system stream records release (of all keys: each chunk), skip and adopt as OperatorActed, with SVC_ACTOR or the user
of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --reason R  why; recorded with the action, and required for skip
  --at N      skips the event at this position, as parked shows it, and no other
  --force     adopts even if a host runs OLD, or NEW has begun
  --limit N   lists up to N keys (200)
  --json      prints JSON

  svc reactions release reserve-stock 0190b5d4-7c1f-7d7e-9a51-0d7d4a0f6b11 --reason 'the item exists now'`;

export const reactions = operatorVerb('reactions', help, {
  list: { takes: [], does: 'show', run: list },
  parked: { takes: ['NAME?'], does: 'list', run: parked },
  release: { takes: ['NAME', 'KEY?'], does: 'act', run: release },
  skip: skipAction(),
  adopt: { takes: ['OLD', 'NEW'], does: 'act', mayForce: true, run: adopt },
});

async function list({ database }: OperatorInput): Promise<OperatorResult> {
  const all = await listReactions(database);
  const data = all.map(({ name, position, lag, retrying, parked: keys, state, kind }) => ({
    name,
    position,
    lag,
    retrying,
    parked: keys,
    state,
    kind,
  }));
  return { data, text: all.length === 0 ? 'There are no reactions.' : all.map(lineOf).join('\n') };
}

const lineOf = ({ kind, name, state, position, lag, retrying, parked: keys }: ListedReaction): string =>
  [
    `${name.padEnd(32)} ${kind.padEnd(8)} ${state.padEnd(10)} at ${position}, ${lag} behind`,
    ...(retrying === 0 ? [] : [`${retrying} retrying`]),
    ...(keys === 0 ? [] : [`${keys} parked`]),
  ].join(', ');

async function parked({ database, args: [name], limit }: OperatorInput): Promise<OperatorResult> {
  if (name !== undefined) await mustExist(database, name);
  const keys = await listKeys(database, limit, name ?? null);
  return {
    data: keys,
    text: keys.length === 0 ? 'No key is parked or retrying.' : keys.map(keyLine).join('\n'),
    more: await moreThan(keys, limit, () => countKeys(database, name ?? null)),
  };
}

const keyLine = ({ name, key, position, state, attempts, error }: ListedKey): string =>
  `${name} ${printableLine(key)}  ${state} at ${position}, ${attempts} attempts${error === null ? '' : `\n  ${oneLine(error)}`}`;

async function release({ database, call, args: [name = '', key] }: OperatorInput): Promise<OperatorResult> {
  const released = key === undefined ? await releaseAllShown(call, name) : await releaseKeys(call, name, key);
  if (released === 0) await mustExist(database, name);
  if (released === 0 && key !== undefined) throw await notParked(database, name, key);
  const keys = released === 1 ? '1 key' : `${released} keys`;
  return {
    data: { released },
    text:
      released === 0
        ? `No key of ${name} is parked.`
        : `Released ${keys} of ${name}; hosts try again at once.${released < mostPlanned ? '' : ' Run it again for the rest.'}`,
  };
}

async function releaseAllShown(call: OperatorCall, name: string): Promise<number> {
  const plan = await planRelease(call.database, name);
  return carryOutShown(plan, (progress) => releaseAll(call, plan, progress));
}

/** Of a reaction or a process. */
export function skipAction(): OperatorAction {
  return { takes: ['NAME', 'KEY'], does: 'act', options: ['at'], needsReason: true, run: skip };
}

async function skip({
  database,
  call,
  args: [name = '', key = ''],
  options: { at },
}: OperatorInput): Promise<OperatorResult> {
  const position = at === undefined ? await parkedAt(database, name, key) : positionIn(at);
  if (position === undefined || !(await skipKey(call, { name, key, position }))) {
    await mustExist(database, name);
    throw await notParked(database, name, key, at === undefined ? undefined : position);
  }
  return {
    data: { skipped: position, name, key },
    text: `${name} skips the event at position ${position}; later events of ${printableLine(key)} are handled.`,
  };
}

function positionIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('usage', { detail: `--at must be a position such as 1234, not '${text}'.` });
}

async function parkedAt(database: Database, name: string, key: string): Promise<number | undefined> {
  const found = await findKey(database, name, key);
  return found?.state === 'parked' ? found.position : undefined;
}

const findKey = async (database: Database, name: string, key: string): Promise<ListedKey | undefined> =>
  (await listKeys(database, 10_000, name)).find((one) => one.key === key);

/** `seen`: where the operator has seen it. */
async function notParked(database: Database, name: string, key: string, seen?: number): Promise<Problem> {
  const found = await findKey(database, name, key);
  const state =
    found === undefined
      ? 'is not parked'
      : found.state === 'parked' && seen !== undefined
        ? `is parked at ${found.position}, not at ${seen}: look at that event first`
        : 'is not parked: it is retried automatically';
  return new Problem('not-found', { detail: `The key ${printableLine(key)} of ${name} ${state}.` });
}

async function adopt({ database, call, args, isForced }: OperatorInput): Promise<OperatorResult> {
  const [from = '', to = ''] = args;
  if (from === to)
    throw new Problem('usage', { detail: 'OLD and NEW are the same; see svc reactions --help.' });
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(to))
    throw new Problem('usage', { detail: 'NEW must be the name of a reaction, in kebab-case.' });
  const outcome = await adoptReaction(call, { from, to, force: isForced });
  if (outcome !== 'adopted') throw await notAdopted(database, outcome, from, to);
  return { data: { adopted: from, by: to }, text: `${to} continues from the position of ${from}.` };
}

async function notAdopted(
  database: Database,
  outcome: Exclude<Adoption, 'adopted'>,
  from: string,
  to: string,
): Promise<Problem> {
  if (outcome === 'unknown') return unknown(from, (await listReactions(database)).filter(isReaction));
  const detail =
    outcome === 'running'
      ? `A host runs ${from}; stop the hosts first, or stop it alone with --force.`
      : `${to} has begun already; --force sets it back to ${from}, and it handles again what it has handled since.`;
  return new Problem('stream-conflict', { detail });
}

const isReaction = ({ kind }: ListedReaction): boolean => kind === 'reaction';

async function mustExist(database: Database, name: string): Promise<void> {
  const all = await listReactions(database);
  if (!all.some((one) => one.name === name)) throw unknown(name, all);
}

function unknown(name: string, known: readonly ListedReaction[]): Problem {
  const others =
    known.length === 0 ? 'none has run yet' : `there are: ${known.map((one) => one.name).join(', ')}`;
  return new Problem('not-found', { detail: `There is no reaction '${name}'; ${others}.` });
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
