import type { Limit } from './limit.js';

const cache = 'runtime/deciders/state-cache.ts';
const states = 'runtime/deciders/decider-states.ts';

/** What a host keeps of the states of deciders. */
export const deciderLimits: readonly Limit[] = [
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
