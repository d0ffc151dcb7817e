import type { Process } from '../../../../actors/processes/process.js';
import type { TrailEntry } from '../../../../actors/processes/process-run.js';
import type { ActingOperator, OperatorCall } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import {
  countInstances,
  countSteps,
  eventsAt,
  listInstances,
  readInstance,
} from '../../../../runtime/reactions/process-views.js';
import { listKeys, listReactions, listTimers } from '../../../../runtime/reactions/reaction-lists.js';
import {
  cancelTimer,
  releaseKeys,
  retryProcess,
  runTimerNow,
  skipKey,
} from '../../../../runtime/reactions/operate.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { InstanceDetail, ProcessesPart, ProcessFigures, ReactionsPage } from '../../model/processes.js';
import { definitionOf } from '../../model/machine-definition.js';
import { clockOf } from './clock-of.js';
import { sharedAnswer } from './shared-answer.js';
import { storedBySteps } from './stored-by-steps.js';

const examined = 1_000;

/** The processes, reactions and timers of this store; a chart is there if this host has the process. */
export function processesPart(
  database: Database,
  processes: readonly Process[],
  operatorOf: (by: ActedBy) => ActingOperator,
): ProcessesPart {
  const figures = sharedAnswer(() => readFigures(database, processes));
  const callBy = (by: ActedBy): OperatorCall => ({ database, ...operatorOf(by) });
  return {
    list: async (filter, limit) => {
      const [all, instances, now] = await Promise.all([
        figures(),
        listInstances(database, filter, limit),
        clockOf(database),
      ]);
      return { processes: all, examined, instances, now };
    },
    instance: (name, key) => instanceOf(database, processes, name, key),
    timers: async (dueBefore, limit) => {
      const [timers, now] = await Promise.all([
        listTimers(database, { dueBefore: dueBefore ?? null, limit }),
        clockOf(database),
      ]);
      return { timers, now };
    },
    release: (name, key, by) => releaseKeys(callBy(by), name, key),
    skip: (name, key, position, by) => skipKey(callBy(by), { name, key, position }),
    retry: (name, key, by) => retryProcess(callBy(by), name, key),
    cancelTimer: (id, by) => cancelTimer(callBy(by), id),
    runTimer: (id, by) => runTimerNow(callBy(by), id),
    reactions: (limit) => readReactions(database, limit),
  };
}

async function readReactions(database: Database, limit: number): Promise<ReactionsPage> {
  const [reactions, keys] = await Promise.all([listReactions(database), listKeys(database, limit)]);
  const events = await eventsAt(
    database,
    keys.map(({ position }) => position),
  );
  return {
    reactions,
    keys: keys.map((key) => {
      const event = events.get(key.position);
      return event === undefined ? key : { ...key, event };
    }),
  };
}

async function readFigures(
  database: Database,
  processes: readonly Process[],
): Promise<readonly ProcessFigures[]> {
  const counts = await countInstances(database);
  const names = new Set([...processes.map(({ name }) => name), ...counts.map(({ name }) => name)]);
  return Promise.all(
    [...names].map(async (name) => {
      const known = processes.find((process) => process.name === name);
      const states = counts.filter((one) => one.name === name);
      return {
        name,
        version: known?.version,
        machine: known === undefined ? null : definitionOf(known.machine),
        states: states.map(({ state, status, count }) => ({ state, status, count })),
        steps: known === undefined ? [] : await countSteps(database, name, examined),
      };
    }),
  );
}

async function instanceOf(
  database: Database,
  processes: readonly Process[],
  name: string,
  key: string,
): Promise<InstanceDetail | undefined> {
  const found = await readInstance(database, name, key);
  if (found === undefined) return undefined;
  const { trail: kept, ...instance } = found;
  const trail = kept as readonly TrailEntry[];
  const known = processes.find((process) => process.name === name);
  const machine = known?.version === instance.version ? known.machine : known?.older?.[instance.version];
  const causes = await eventsAt(
    database,
    trail.flatMap(({ position = [] }) => position),
  );
  const [timers, stored, now] = await Promise.all([
    listTimers(database, { of: { name, key } }),
    storedBySteps(database, trail, correlationsOf(causes)),
    clockOf(database),
  ]);
  const steps = trail.map(({ position, at, event, from, to, sent = [] }) => {
    const cause = causes.get(position ?? 0);
    return { at, event, from, to, sent, ...(cause === undefined ? {} : { cause }) };
  });
  return {
    ...instance,
    machine: machine === undefined ? null : definitionOf(machine),
    steps,
    timers,
    ...stored,
    now,
  };
}

const correlationsOf = (
  causes: ReadonlyMap<number, { readonly correlationId: string | null }>,
): readonly string[] => [
  ...new Set([...causes.values()].flatMap(({ correlationId }) => correlationId ?? [])),
];
