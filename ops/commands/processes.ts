import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { retryProcess } from '../../runtime/reactions/operate.js';
import {
  countProcesses,
  showProcess,
  showProcesses,
  type ShownProcess,
  type TracedProcess,
} from '../../runtime/reactions/process-views.js';
import { listKeys } from '../../runtime/reactions/reaction-lists.js';
import { eventLabel } from '../console/model/event-label.js';
import { usageOf } from './arguments.js';
import { skipAction } from './reactions.js';
import { moreThan, type OperatorInput, type OperatorResult, operatorVerb } from './operator-verb.js';

const help = `
svc processes list [--name N] [--state S] [--status running|ended|parked]
svc processes show NAME KEY
svc processes retry NAME KEY [--reason R]
svc processes skip NAME KEY [--at POSITION] --reason R

list shows the instances of processes, last changed first: their state and the timers that they wait for.
show adds the path of one instance: its last 50 steps. The context of an instance is never shown.
retry lets a parked instance try the event or timer that stopped it again; if that succeeds, the instance continues.
skip gives up the event that stopped a parked instance, as svc reactions skip does; the instance then takes its next event.
The system stream records retry and skip as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --name N    lists one process
  --state S   lists instances in this state
  --status S  lists instances that are running, ended or parked
  --limit N   lists up to N instances (200)
  --reason R  why; recorded with the action, and required for skip
  --at N      skips the event at this position, as svc reactions parked shows it, and no other
  --json      prints JSON

  svc processes show order-fulfilment 0190b5d4-7c1f-7d7e-9a51-0d7d4a0f6b11`;

export const processes = operatorVerb('processes', help, {
  list: { takes: [], does: 'list', options: ['name', 'state', 'status'], run: list },
  show: { takes: ['NAME', 'KEY'], does: 'show', run: show },
  retry: { takes: ['NAME', 'KEY'], does: 'act', run: retry },
  skip: skipAction(),
});

const usage = usageOf('processes');

async function list({ database, options, limit }: OperatorInput): Promise<OperatorResult> {
  const { name, state, status } = options;
  if (!['running', 'ended', 'parked', undefined].includes(status))
    throw usage(`--status must be running, ended or parked, not '${status}'`);
  const all = await showProcesses(database, { name, state, status, limit });
  return {
    data: all,
    text: all.length === 0 ? 'There are no such processes.' : all.map(lineOf).join('\n'),
    more: await moreThan(all, limit, () => countProcesses(database, { name, state, status })),
  };
}

const lineOf = ({ name, key, version, state, status, timers: [next], error }: ShownProcess): string =>
  [
    `${name} ${printableLine(key)}  ${status === 'running' ? state : `${status} in ${state || 'no state'}`}, version ${version}`,
    ...(next === undefined ? [] : [`, next ${eventLabel(next.event)} at ${next.dueAt}`]),
    ...(error === undefined ? [] : [`\n  ${error.replaceAll(/\s+/g, ' ')}`]),
  ].join('');

async function show({ database, args: [name = '', key = ''] }: OperatorInput): Promise<OperatorResult> {
  const process = await mustFind(database, name, key);
  return { data: process, text: [lineOf(process), ...waysOf(process)].join('\n') };
}

const waysOf = ({ trail, timers }: TracedProcess): readonly string[] => [
  ...trail.map(({ at, event, from, to }) => `  ${at}  ${eventLabel(event)}  ${from ?? 'started'} → ${to}`),
  ...timers.map(({ id, dueAt, event }) => `  waits until ${dueAt} for ${eventLabel(event)}  (timer ${id})`),
];

async function retry({
  database,
  call,
  args: [name = '', key = ''],
}: OperatorInput): Promise<OperatorResult> {
  if (await retryProcess(call, name, key))
    return { data: { retried: key, name }, text: `${name} ${key} is retried at once.` };
  const { status } = await mustFind(database, name, key);
  const why = { running: 'is running', ended: 'has ended', parked: 'is being retried' }[status];
  throw new Problem('not-found', { detail: `${name} ${key} ${why}: there is nothing to retry.` });
}

async function mustFind(database: Database, name: string, key: string): Promise<TracedProcess> {
  const process = await showProcess(database, name, key);
  if (process !== undefined) return process;
  const failing = (await listKeys(database, 10_000, name)).some((one) => one.key === key);
  const detail = failing
    ? `The event that starts ${name} ${key} fails; see svc reactions parked ${name}.`
    : `There is no process ${name} with the key ${key}.`;
  throw new Problem('not-found', { detail });
}
