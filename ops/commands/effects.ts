import { Problem } from '../../contracts/problems.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';
import {
  countEffects,
  type ListedEffect,
  listEffects,
  showEffect,
  type ShownEffect,
} from '../../runtime/effects/effect-lists.js';
import { actOnEffect, actOnRequest } from '../../runtime/effects/operate-effects.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { countText } from '../../runtime/lang/quantity-text.js';
import { usageOf } from './arguments.js';
import {
  moreThan,
  type OperatorAction,
  type OperatorInput,
  type OperatorResult,
  operatorVerb,
} from './operator-verb.js';

const help = `
svc effects list [--name NAME] [--lane LANE] [--state STATE] [--error TEXT]
svc effects show ID
svc effects release ID [--reason R]
svc effects run-now ID [--reason R]
svc effects cancel ID [--reason R]
svc effects pause NAME [--lane LANE] [--reason R]
svc effects resume NAME [--lane LANE] [--reason R]

list shows the requests that wait for another system, but not what they hold. The time is that of the next call. For one that
runs it is when another host may take it over, for a parked one when it was parked.
release tries a parked request again; run-now also one that waits, not one that runs. Its id stays: the other system sees the same key.
cancel removes a request. What a call in flight has done is recorded as EffectDropped.
pause keeps all hosts from calling, for an effect or for one of its lanes; resume ends that.
The system stream records each as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --name NAME    of an effect, such as card-provider
  --lane LANE    as list shows it: the tenant, and the lane that the effect gives
  --state STATE  waiting, running, paused or parked
  --error TEXT   a part of the last error
  --limit N      lists up to N requests (200)
  --reason R     why; recorded with it
  --json         prints JSON

  svc effects pause card-provider --reason 'the provider is down'`;

export const effects = operatorVerb('effects', help, {
  list: { takes: [], does: 'list', options: ['name', 'lane', 'state', 'error'], run: list },
  show: { takes: ['ID'], does: 'show', run: show },
  release: { takes: ['ID'], does: 'act', run: release },
  'run-now': { takes: ['ID'], does: 'act', run: runNow },
  cancel: { takes: ['ID'], does: 'act', run: cancel },
  pause: { takes: ['NAME'], does: 'act', options: ['lane'], run: changing('pause', 'paused') },
  resume: { takes: ['NAME'], does: 'act', options: ['lane'], run: changing('resume', 'resumed') },
});

const usage = usageOf('effects');
const states: readonly ListedEffect['state'][] = ['waiting', 'running', 'paused', 'parked'];

async function list({ database, options, limit }: OperatorInput): Promise<OperatorResult> {
  const { name, lane, state, error } = options;
  if (state !== undefined && !states.some((one) => one === state))
    throw usage(`--state must be one of ${states.join(', ')}, not '${state}'`);
  const selection = { name, lane, state, error };
  const all = await listEffects(database, selection, limit);
  return {
    data: all,
    text: all.length === 0 ? 'No request waits.' : all.map(lineOf).join('\n'),
    more: await moreThan(all, limit, () => countEffects(database, selection)),
  };
}

const lineOf = ({ id, name, key, state, attempts, dueAt, lane, error }: ListedEffect): string =>
  [
    printableLine(`${id}  ${dueAt}  ${name}${key === '' ? '' : ` ${key}`}, ${state}`),
    ...(lane === '' ? [] : [printableLine(`, lane ${lane}`)]),
    ...(attempts === 0 ? [] : [`, ${countText(attempts, 'attempt')}`]),
    ...(error === null ? [] : [`\n  ${printableLine(error.replaceAll(/\s+/g, ' '))}`]),
  ].join('');

async function show({ database, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  const found = await requestOf(database, id);
  const tries = found.tries.map(
    ({ at, claim, error }) => `\n  ${at}  attempt ${claim}: ${printableLine(error)}`,
  );
  return { data: found, text: lineOf({ ...found, error: null }) + tries.join('') };
}

/** Only what is a request of an effect: a timer has verbs of its own. */
async function requestOf(database: OperatorInput['database'], id: string): Promise<ShownEffect> {
  if (!isUuid(id)) throw usage(`'${id}' is not the id of a request`);
  const found = await showEffect(database, id);
  if (found !== undefined) return found;
  throw new Problem('not-found', {
    detail: `There is no request ${id}: it has ended, was cancelled, or never was.`,
  });
}

async function release({ database, call, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  await requestOf(database, id);
  if (await actOnRequest(call, 'release', id)) return isDue(id);
  const { state } = await requestOf(database, id);
  throw new Problem('not-found', {
    detail: `The request ${id} is not parked, it is ${state}${state === 'running' ? '.' : '; svc effects run-now tries it at once.'}`,
  });
}

async function runNow({ database, call, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  await requestOf(database, id);
  if (await actOnRequest(call, 'run', id)) return isDue(id);
  const { state } = await requestOf(database, id);
  throw new Problem('not-found', {
    detail: `The request ${id} was not made due, because a call was in flight; it is ${state}.`,
  });
}

const isDue = (id: Uuid): OperatorResult => ({ data: { due: id }, text: `The request ${id} is due now.` });

async function cancel({ database, call, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  await requestOf(database, id);
  if (await actOnRequest(call, 'cancel', id))
    return { data: { cancelled: id }, text: `The request ${id} is cancelled.` };
  throw new Problem('not-found', { detail: `The request ${id} has ended meanwhile.` });
}

function changing(action: 'pause' | 'resume', done: 'paused' | 'resumed'): OperatorAction['run'] {
  return async ({ call, args: [name = ''], options: { lane } }) => {
    const what = printableLine(lane === undefined ? `The effect ${name}` : `The lane ${lane} of ${name}`);
    if (!(await actOnEffect(call, action, name, lane)))
      throw new Problem('not-found', {
        detail: `${what} is ${action === 'pause' ? 'paused already' : 'not paused'}.`,
      });
    return { data: { [done]: name, lane }, text: `${what} is ${done}.` };
  };
}
