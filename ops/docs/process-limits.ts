import type { Limit } from './limit.js';

const run = 'actors/processes/process-run.ts';
const step = 'actors/processes/process-step.ts';

/** What an instance of a process may hold, and what one step of it may do. */
export const processLimits: readonly Limit[] = [
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
