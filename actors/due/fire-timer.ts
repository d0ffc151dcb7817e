import { type ErrorSummary, ReactionFailed } from '../../contracts/events/error.js';
import { TimersMissed } from '../../contracts/events/process.js';
import { Problem } from '../../contracts/problems.js';
import type { ReactionStore, StoredTimer } from '../../contracts/reaction-store.js';
import type { Json, Timestamp } from '../../contracts/scalars.js';
import type { SetTimer, TimerKind } from '../../contracts/unit-lists.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit-store.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { log } from '../../runtime/logging/log.js';
import { nowText } from '../../runtime/lang/now-text.js';
import { firedCommandIdOf } from '../../runtime/reactions/ids.js';
import { retryDelay } from '../../runtime/reactions/line-effects.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';
import type { LocalDispatcher } from '../commands/dispatcher.js';
import type { OpenStep } from '../commands/open-step.js';
import type { StageCommand, StepAdditions } from '../steps/cursor-work.js';
import { stageCommand } from '../steps/stage-command.js';
import { isConflict, isPassing } from '../commands/passing-errors.js';
import { isRefusal, Unhandled } from '../steps/step-errors.js';
import { type DueContext, dueContext } from './due-context.js';
import { loggedFailure, stepFailure } from '../steps/step-failure.js';

/** What a timer does: it stages commands, and returns what to commit beside them. */
export type Fire = (timer: StoredTimer, stage: StageCommand) => Promise<StepAdditions>;

/** What a parked timer keeps. */
export type TimerApart = Pick<SetTimer, 'id' | 'kind' | 'name' | 'key' | 'data'> & {
  readonly context: Json;
};

/** A timer that is parked in the place of one that continues, and what to commit beside it. */
export interface ApartFrom extends StepAdditions {
  readonly timer: TimerApart;
}

interface FiringPorts {
  readonly dispatcher: Pick<LocalDispatcher, 'openStep' | 'stage' | 'failed'>;
  readonly store: Pick<UnitStore, 'commit'>;
  readonly reactions: Pick<ReactionStore, 'isReserved'>;
  readonly fire: Readonly<Record<TimerKind, Fire>>;
  /** Undefined: the timer itself is parked. */
  readonly parksApart?: (timer: StoredTimer) => ApartFrom | undefined;
  /** Undefined: system messages of this type are not enabled. */
  readonly recordOf: (message: SystemMessage) => StagedRecord | undefined;
  /** Called with the records of a unit after its commit. */
  readonly committed?: (records: readonly StagedRecord[]) => void;
  /** Whether errors about a timer and the commands that it sent may contain what must not be shown. */
  readonly hidesErrors?: (timer: StoredTimer, sent: readonly string[]) => boolean;
  readonly deadlineMs: number;
  /** Of the application: a newer one tries again what this one parks. */
  readonly version?: string;
}

/**
 * `gone`: it was cancelled, replaced or fired by another host. `later`: the host or the store cannot do it at the moment.
 */
export type FiringOutcome = 'fired' | 'dropped' | 'gone' | 'later' | 'retrying' | 'parked';

const attempts = 8;
const conflicts = 20;

/** Fires a timer: its commands and its end are one commit. */
export async function fireTimer(timer: StoredTimer, ports: FiringPorts): Promise<FiringOutcome> {
  if (timer.expiresMs !== null && timer.lateMs > timer.expiresMs) return drop(timer, ports);
  let looksForNames = false;
  const sent: string[] = [];
  for (let tries = 0; ; tries++) {
    try {
      await fireOnce(timer, ports, sent, looksForNames);
      return 'fired';
    } catch (error) {
      if (isGone(error)) return 'gone';
      looksForNames ||= error instanceof ReservedAtCommit;
      if ((isConflict(error) || error instanceof ReservedAtCommit) && tries < conflicts) continue;
      if (isPassing(error) || isConflict(error)) return 'later';
      const failure = stepFailure(error, ports.hidesErrors?.(timer, sent) === true ? 'any' : undefined);
      return setAgain(timer, error, failure, ports);
    }
  }
}

/** When it was due at first. */
export const dueOf = ({ context, dueAt }: StoredTimer): Timestamp => (context as DueContext).due ?? dueAt;

async function fireOnce(
  timer: StoredTimer,
  ports: FiringPorts,
  sent: string[],
  looksForNames: boolean,
): Promise<void> {
  const step = ports.dispatcher.openStep();
  let index = 0;
  const stage: StageCommand = async (command) => {
    sent.push(command.constructor.name);
    return stageCommand(command, contextOf(timer, index++, ports), { step, looksForNames }, ports);
  };
  try {
    const firing = await ports.fire[timer.kind](timer, stage);
    await commit(timer, step, firing, ports).catch((error: unknown) => {
      throw isReserved(error) ? new ReservedAtCommit(error.code, { cause: error }) : error;
    });
    failpoint('timer-after-commit');
    step.stored();
    firing.committed?.();
  } finally {
    step.discardAfter(0);
  }
}

function contextOf(timer: StoredTimer, index: number, { deadlineMs }: FiringPorts): RequestContext {
  const context = dueContext(timer, {
    messageId: firedCommandIdOf(timer.id, `${dueOf(timer)}/${index}`),
    waitedMs: Date.parse(timer.dueAt) - Date.parse(timer.setAt),
    deadlineMs,
  });
  context.metadata['due'] = dueOf(timer);
  // An effect that a timer asks for is cancelled by the name of the timer.
  if (timer.kind === 'command') runOf(context).askedAs = timer.id;
  return context;
}

async function commit(
  timer: StoredTimer,
  step: OpenStep,
  { lists, records = [] }: StepAdditions,
  { store, committed }: FiringPorts,
): Promise<void> {
  const ended = [{ id: timer.id, firedAt: timer.dueAt }, ...(lists?.ended ?? [])];
  const unit = step.staged.unit({ ...lists, ended }, records);
  await store.commit(unit);
  committed?.(unit.records);
}

async function drop(timer: StoredTimer, ports: FiringPorts): Promise<FiringOutcome> {
  const missed = new TimersMissed({ count: 1, oldestDue: timer.dueAt, timestamp: nowText() });
  return instead(timer, { records: recordsOf(missed, ports) }, 'dropped', ports);
}

/** A timer that fails waits longer each time, and is parked in the end. */
async function setAgain(
  timer: StoredTimer,
  error: unknown,
  failure: ErrorSummary,
  ports: FiringPorts,
): Promise<FiringOutcome> {
  const attempt = timer.attempts + 1;
  const isLost = error instanceof Unhandled;
  const parked = isLost || isRefusal(error) || attempt >= attempts;
  const apart = parked && !isLost ? ports.parksApart?.(timer) : undefined;
  const { id, kind, name, key, data, context } = apart?.timer ?? timer;
  log.error({ timer: name, key, attempt, parked, err: loggedFailure(failure, error) }, 'a timer failed');
  const again: SetTimer = {
    id,
    kind,
    name,
    key,
    data,
    parked,
    attempts: attempt,
    error: lineOf(failure),
    again: 'replace',
    due: { inMs: parked ? 0 : retryDelay(attempt) },
    ...(timer.expiresMs !== null && { expiresMs: timer.expiresMs }),
    context: {
      due: dueOf(timer),
      ...(context as Readonly<Record<string, Json>>),
      ...(parked && ports.version !== undefined && { parkedBy: ports.version }),
    },
  };
  const failed = new ReactionFailed({
    reactionName: name,
    key,
    eventId: id,
    eventType: `timer ${kind}`,
    error: failure,
    attempt,
    parked,
    timestamp: nowText(),
  });
  const lists = { timers: [...(apart?.lists?.timers ?? []), again] };
  const records = [...(apart?.records ?? []), ...recordsOf(failed, ports)];
  return instead(timer, { lists, records }, parked ? 'parked' : 'retrying', ports);
}

const recordsOf = (message: SystemMessage, { recordOf }: FiringPorts): readonly StagedRecord[] => {
  const record = recordOf(message);
  return record === undefined ? [] : [record];
};

/** Ends the timer without its command. */
async function instead(
  timer: StoredTimer,
  firing: StepAdditions,
  outcome: FiringOutcome,
  ports: FiringPorts,
): Promise<FiringOutcome> {
  try {
    await commit(timer, ports.dispatcher.openStep(), firing, ports);
    return outcome;
  } catch (error) {
    return isGone(error) ? 'gone' : 'later';
  }
}

const lineOf = ({ code, name, message }: ErrorSummary): string => `${code ?? name}: ${message}`;

/** The commit refused the step as a whole. */
class ReservedAtCommit extends Problem {}

const isReserved = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'already-reserved';

const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'timer-gone';
