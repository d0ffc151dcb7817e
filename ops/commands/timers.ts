import { Problem } from '../../contracts/problems.js';
import { isTimestamp, isUuid, type Uuid } from '../../contracts/scalars.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { cancelTimer, runTimerNow } from '../../runtime/reactions/operate.js';
import { countTimers, type ListedTimer, listTimers } from '../../runtime/reactions/reaction-lists.js';
import { usageOf } from './arguments.js';
import { moreThan, type OperatorInput, type OperatorResult, operatorVerb } from './operator-verb.js';

const help = `
svc timers list [--due-before T]
svc timers cancel ID [--reason R]
svc timers run-now ID [--reason R]

list shows the timers of receptors, reactions, processes and schedules by due time, without their contents.
cancel removes a timer: it never fires. A process that waits for it continues only with another event; the next host that
starts sets the timer of a schedule again.
run-now makes a timer due at once, even one that was parked because it failed too often; it fires once. A schedule runs
its next occurrence early, and continues with the one after it.
The system stream records both as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --due-before T  lists timers that are due before this time, such as 2026-12-01T00:00:00Z
  --limit N       lists up to N timers (200)
  --reason R      why; recorded with the action
  --json          prints JSON

  svc timers run-now 0190b5d4-7c1f-8d7e-9a51-0d7d4a0f6b11 --reason 'the provider is back'`;

export const timers = operatorVerb('timers', help, {
  list: { takes: [], does: 'list', options: ['due-before'], run: list },
  cancel: { takes: ['ID'], does: 'act', run: cancel },
  'run-now': { takes: ['ID'], does: 'act', run: runNow },
});

const usage = usageOf('timers');

async function list({ database, options, limit }: OperatorInput): Promise<OperatorResult> {
  const dueBefore = options['due-before'] ?? null;
  if (dueBefore !== null && !isTimestamp(dueBefore))
    throw usage(`--due-before must be a time such as 2026-12-01T00:00:00Z, not '${dueBefore}'`);
  const all = await listTimers(database, { dueBefore, limit });
  return {
    data: all,
    text: all.length === 0 ? 'No timer waits.' : all.map(lineOf).join('\n'),
    more: await moreThan(all, limit, () => countTimers(database, dueBefore)),
  };
}

const lineOf = ({ id, kind, name, key, dueAt, attempts, parked, error }: ListedTimer): string =>
  [
    printableLine(`${id}  ${dueAt}  ${kind} ${name}${key === '' ? '' : ` ${key}`}`),
    ...(parked ? [', parked'] : []),
    ...(attempts === 0 ? [] : [`, ${attempts} attempts`]),
    ...(error === null ? [] : [`\n  ${error.replaceAll(/\s+/g, ' ')}`]),
  ].join('');

async function cancel({ call, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  if (!(await cancelTimer(call, timerId(id)))) throw unknown(id);
  return { data: { cancelled: id }, text: `The timer ${id} is cancelled.` };
}

async function runNow({ call, args: [id = ''] }: OperatorInput): Promise<OperatorResult> {
  if (!(await runTimerNow(call, timerId(id)))) throw unknown(id);
  return { data: { due: id }, text: `The timer ${id} is due now.` };
}

function timerId(id: string): Uuid {
  if (isUuid(id)) return id;
  throw usage(`'${id}' is not the id of a timer`);
}

const unknown = (id: Uuid): Problem =>
  new Problem('not-found', {
    detail: `There is no timer ${id}: it has fired, was cancelled, or never existed.`,
  });
