import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event, MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { Json, Timestamp } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit-store.js';
import { timerContext } from '../../runtime/timers/command-timer.js';
import type { BlockingCode } from '../steps/blocking-code.js';
import { type CursorWork, isImported, type StageCommand, type StepAdditions } from '../steps/cursor-work.js';
import { isRefusal, Unhandled, unknownTimer, withoutDetail } from '../steps/step-errors.js';
import type { Fire } from '../due/fire-timer.js';
import { checkProcess, keyOf } from './check-process.js';
import type { Process } from './process.js';
import type { Stage } from './process-run.js';
import { messagesOf } from './process-setup.js';
import type { MovedActor } from '../steps/moved-actor.js';
import { processStep, type StepInput, type StepOutcome } from './process-step.js';

interface ProcessPorts {
  readonly reactions: Pick<ReactionStore, 'process'>;
  readonly store: Pick<UnitStore, 'commit'>;
  readonly code: BlockingCode;
  /** Undefined: system messages of this type are not enabled. */
  readonly recordOf: (message: SystemMessage) => StagedRecord | undefined;
  /** Whether refusals of this command may contain what must not be stored. */
  readonly isSensitive: (type: string) => boolean;
  /** The effect that does a command. */
  readonly effectOf?: StepInput['effectOf'];
  /** Called after the commit of each step. */
  readonly moved?: ((instance: MovedActor) => void) | undefined;
}

const attempts = 8;

/** Feeds a process with its events, as a cursor meets them. */
export function processWork(process: Process, ports: ProcessPorts): CursorWork {
  checkProcess(process);
  const { name } = process;
  return {
    name,
    kind: 'process',
    events: eventsOf(process),
    origin: process.origin,
    start: 'head',
    attempts,
    after: [],
    keyOf: ({ event }) => keyOf(process, event),
    skips: isImported,
    handle: async ({ event, fault }, stage, refusal) => {
      if (fault !== undefined) throw fault;
      // A refusal of a receptor is an event of the machine; this one is of the commit.
      if (refusal !== undefined) throw new Unhandled(refusal);
      const { messageId, correlationId = messageId, scope, traceparent, depth } = event;
      const cause = { causationId: messageId, correlationId, scope, traceparent, depth };
      const key = mustHaveKey(process, event);
      const outcome = await step(
        { process, key, trigger: { event }, context: timerContext(cause) },
        stage,
        ports,
      );
      if (outcome.kind === 'passed') return outcome.reason === 'unmatched' ? 'unmatched' : undefined;
      return additionsOf(outcome, ports);
    },
  };
}

/** What has no key now has none the next time. */
function mustHaveKey(process: Process, event: StoredEvent): string {
  try {
    return keyOf(process, event);
  } catch (error) {
    throw new Unhandled(error);
  }
}

/** What the machines of all versions wait for: an instance of an older one still needs its events. */
export function eventsOf({ machine, older = {} }: Process): readonly MessageClass<Event>[] {
  const machines = [...Object.values(older), machine];
  return Object.values(
    Object.assign({}, ...machines.map((each) => messagesOf(each)?.events)) as MessageClasses,
  );
}

type MessageClasses = Readonly<Record<string, MessageClass<Event>>>;

/** Wakes a process whose time has come. */
export function fireProcess(processes: readonly Process[], ports: ProcessPorts): Fire {
  const byName = new Map(processes.map((process) => [process.name, process]));
  return async (timer, stage) => {
    const process = byName.get(timer.name);
    if (process === undefined)
      throw unknownTimer(`No process is named ${timer.name}; cancel its timer, or bring the process back.`);
    const { key, context } = timer;
    const outcome = await step({ process, key, trigger: { timer }, context }, stage, ports);
    return additionsOf(outcome, ports);
  };
}

type Moved = Exclude<StepOutcome, { readonly kind: 'newer-version' | 'parked' }>;

/** One step of an instance; one that cannot continue is marked as parked, and then fails. */
async function step(
  input: Pick<StepInput, 'process' | 'key' | 'trigger'> & { readonly context: Json },
  stage: StageCommand,
  { reactions, store, isSensitive, code, effectOf }: ProcessPorts,
): Promise<Moved> {
  const { process, key } = input;
  const row = await reactions.process(process.name, key);
  const at = timeOf(input.trigger);
  const outcome = await code.run({ kind: 'process', name: process.name }, idOf(input.trigger), () =>
    processStep({ ...input, effectOf, row, stage: refusalOf(stage, isSensitive), at }),
  );
  if (outcome.kind === 'newer-version') {
    throw new Unhandled(
      new Problem('process-version', {
        detail: `${process.name} of version ${row?.version} cannot continue with version ${process.version}; it continues when a host has version ${row?.version} again.`,
      }),
    );
  }
  if (outcome.kind !== 'parked') return outcome;
  const { problem, lists } = outcome;
  const others = { handled: [], aside: [], reservations: [] };
  await store.commit({ events: [], records: [], expected: new Map(), lists: { ...others, ...lists } });
  throw new Unhandled(problem);
}

const idOf = (trigger: StepInput['trigger']): string =>
  'event' in trigger ? trigger.event.messageId : trigger.timer.id;

/** By the clock of the database: that of a host may be wrong. */
const timeOf = (trigger: StepInput['trigger']): Timestamp =>
  'event' in trigger
    ? trigger.event.recordedAt
    : new Date(Date.parse(trigger.timer.dueAt) + Math.max(0, trigger.timer.lateMs)).toISOString();

function additionsOf(outcome: Moved, { recordOf, moved }: ProcessPorts): StepAdditions {
  if (outcome.kind === 'passed') return { lists: outcome.lists };
  const { records } = outcome;
  return {
    committed: () => moved?.(outcome.moved),
    lists: outcome.lists,
    records: records.flatMap((event) => recordOf(event as SystemMessage) ?? []),
  };
}

const refusalOf =
  (stage: StageCommand, isSensitive: ProcessPorts['isSensitive']): Stage =>
  async (command) => {
    try {
      await stage(command);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return isSensitive(command.constructor.name) ? withoutDetail(error) : error;
    }
  };
