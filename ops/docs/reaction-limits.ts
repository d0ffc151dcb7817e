import type { Limit } from './limit.js';

const cache = 'runtime/deciders/state-cache.ts';
const states = 'runtime/deciders/decider-states.ts';

/** What a host keeps of the states of deciders. */
const deciderLimits: readonly Limit[] = [
  ['states of deciders that a host caches', '10,000 streams, about 64 MiB', '', cache, 'maxStreams: 10_000'],
  ['events after which a state is kept again', '200', '', states, 'defaultKeptEvery = 200'],
  ['commands of one key that share a commit', '64', '', 'actors/commands/key-line.ts', 'maxShared = 64'],
  [
    'state of a decider in `svc_states`',
    '64 KiB; a larger one is not kept',
    '',
    states,
    'maxKeptLength = 65_536',
  ],
];

const run = 'actors/processes/process-run.ts';
const step = 'actors/processes/process-step.ts';

/** What an instance of a process may hold, and what one step of it may do. */
const processLimits: readonly Limit[] = [
  ['commands in a step of a process', '100, else `process-too-long`', '', run, 'maxCommands = 100'],
  ['rounds of refused commands in a step', '16, else `process-too-long`', '', run, 'maxRounds = 16'],
  [
    'transitions without an event in a step',
    '1,000, else `process-too-long`',
    '',
    'actors/processes/process-setup.ts',
    'maxIterations = 1000',
  ],
  ['snapshot of a process', '64 KiB, else `process-too-large`', '', step, 'maxSnapshotBytes = 65_536'],
  [
    'requests that wait for processes on a host',
    '1,000',
    '',
    'endpoints/processes/process-routes.ts',
    'maxWaiting = 1_000',
  ],
  [
    'requests of one caller among them',
    '200',
    '',
    'endpoints/processes/process-routes.ts',
    'maxOfCaller = 200',
  ],
  ['steps in the trail of a process', 'the last 50', '', step, 'trailLength = 50'],
  [
    'name of a reaction, process, schedule or decider',
    '64 characters',
    '',
    'contracts/kebab-case.ts',
    'maxNameLength = 64',
  ],
  ['key of a reaction or process', '1,024 bytes', '', 'actors/steps/key-fault.ts', 'maxBytes = 1_024'],
  [
    'data of a timer of a process',
    '64 KiB',
    '',
    'actors/processes/pending-timers.ts',
    'maxDataBytes = 65_536',
  ],
];

const line = 'runtime/reactions/line-window.ts';
const timer = 'runtime/timers/command-timer.ts';
const schedule = 'runtime/timers/occurrences.ts';
const lanes = 'actors/due/lanes.ts';
const effect = 'runtime/effects/known-effect.ts';
const attempt = 'actors/due/effect-attempt.ts';
const answers = 'actors/due/call-answers.ts';
const guarded = 'runtime/outbound/guarded-fetch.ts';
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
    'contracts/effect-store.ts',
    'mostLost = 5',
  ],
  ['events that an effect returns', '100', '', answers, 'maxEvents = 100'],
  ['these events together', '64 KiB', '', answers, 'maxEventBytes = 65_536'],
  ['what `progress` of an effect keeps', '4 KiB', '', attempt, 'maxProgressBytes = 4_096'],
  [
    'lane of an effect, with its name and tenant',
    '200 characters',
    '',
    'runtime/effects/effect-row.ts',
    'maxLaneLength = 200',
  ],
  [
    'what is published of an event',
    '48 KiB',
    '',
    'endpoints/webhooks/mapped-body.ts',
    'maxBytes = 48 * 1_024',
  ],
  ['URL of a guarded call', '2,048 characters', '', guarded, 'maxUrlLength = 2_048'],
  ['time of a guarded call', '15 s', '`timeout`', guarded, "timeout = 'PT15S'"],
  [
    'time for the addresses of its name',
    '2 s',
    '`lookup`',
    'runtime/outbound/resolve-names.ts',
    'timeout: 2_000',
  ],
  ['time until a guarded call is connected', '5 s', '', guarded, 'connectMs = 5_000'],
  ['answer of a guarded call that is read', '4 KiB', '', guarded, 'maxAnswerBytes = 4_096'],
  ['headers of such an answer', '8 KiB', '', guarded, 'maxHeaderBytes = 8_192'],
  ['missed occurrences that `all` catches up with', 'the last 100', '', schedule, 'caughtUpMost = 100'],
  ['missed occurrences that are counted', '1,000', '', schedule, 'missedMost = 1_000'],
  ['value of a reservation', '1,024 bytes', '', reservation, 'maxValueBytes = 1_024'],
  ['owner of a reservation', '200 bytes', '', reservation, 'maxOwnerLength = 200'],
  ...processLimits,
  ...deciderLimits,
];
