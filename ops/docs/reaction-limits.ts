import { deciderLimits } from './decider-limits.js';
import type { Limit } from './limit.js';
import { processLimits } from './process-limits.js';

const line = 'runtime/reactions/line-window.ts';
const timer = 'runtime/timers/command-timer.ts';
const schedule = 'runtime/timers/occurrences.ts';
const lanes = 'actors/due/lanes.ts';
const effect = 'runtime/effects/known-effect.ts';
const attempt = 'actors/due/effect-attempt.ts';
const reservation = 'runtime/reservations/reservation-step.ts';

/** What reactions, timers, schedules, reservations, processes and deciders may do. */
export const reactionLimits: readonly Limit[] = [
  [
    'commands that a reaction sends for an event',
    '100',
    '',
    'actors/reactions/reaction-work.ts',
    'maxSent = 100',
  ],
  [
    'reactions and timers that follow each other without a request between',
    '32, else parked `causation-too-deep`',
    '',
    'runtime/reactions/ids.ts',
    'maxDepth = 32',
  ],
  [
    'events that reactions of a host handle at once',
    '256',
    '',
    'actors/reactions/in-flight.ts',
    'maxInFlight = 256',
  ],
  ['events ahead of the first unsettled one', '128 for each cursor', '', line, 'maxAhead = 128'],
  ['command of a timer', '64 KiB', '', timer, 'maxBytes = 65_536'],
  ['name of a timer', '64 characters', '', timer, 'maxNameLength = 64'],
  ['key of a timer', '1,024 characters', '', timer, 'maxKeyLength = 1_024'],
  ['timers that a host fires at once', '128', '', 'actors/due/timer-runner.ts', 'most: 128'],
  [
    'missed timers that a host fires at once while it has requests',
    '8',
    '',
    'actors/due/timer-runner.ts',
    'mostBesideRequests: 8',
  ],
  ['calls of an effect at once', '64 on each host', '`concurrency` of the effect', lanes, 'perHost = 64'],
  ['attempts of an effect', '8', '`retries` of the effect', effect, 'defaultAttempts = 8'],
  [
    'calls of an effect that end with their host',
    '5, then parked `effect-lost`',
    '',
    attempt,
    'mostLost = 5',
  ],
  ['events that an effect returns', '100', '', attempt, 'maxEvents = 100'],
  ['what `progress` of an effect keeps', '4 KiB', '', attempt, 'maxProgressBytes = 4_096'],
  [
    'lane of an effect, with its name and tenant',
    '200 characters',
    '',
    'runtime/effects/effect-row.ts',
    'maxLaneLength = 200',
  ],
  ['missed occurrences that `all` catches up with', 'the last 100', '', schedule, 'caughtUpMost = 100'],
  ['missed occurrences that are counted', '1,000', '', schedule, 'missedMost = 1_000'],
  ['value of a reservation', '1,024 bytes', '', reservation, 'maxValueBytes = 1_024'],
  ['owner of a reservation', '200 bytes', '', reservation, 'maxOwnerLength = 200'],
  ...processLimits,
  ...deciderLimits,
];
