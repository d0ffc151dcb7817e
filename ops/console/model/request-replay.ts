import type { RequestItem, SequenceStep } from './requests.js';

/** A moment of a request: the state that it entered. */
interface ReplayStep {
  readonly state: string;
  readonly atMs: number;
}

/** The states of a request in their order, the final one last. */
export function replaySteps({ states, outcome, ms }: RequestItem): readonly ReplayStep[] {
  let at = 0;
  const entered = states.map(([state, spent]) => {
    const step = { state, atMs: at };
    at += spent;
    return step;
  });
  return outcome === 'running' ? entered : [...entered, { state: outcome, atMs: Math.max(at, ms) }];
}

/** The request as it was at a step: what came later has not happened yet. */
export function requestAt<T extends RequestItem>(request: T, step: number): T {
  const state = request.states[step]?.[0];
  if (state === undefined) return request;
  return {
    ...request,
    states: request.states.slice(0, step),
    // Where it is now is the end of its path, like a final state.
    outcome: state as unknown as RequestItem['outcome'],
    failedIn: request.states.slice(0, step).some(([name]) => name === request.failedIn)
      ? request.failedIn
      : undefined,
  };
}

/** How many messages of the sequence were sent before the request left a step: those before its next state. */
export function messagesUntil(messages: readonly SequenceStep[], step: number): number {
  const entered = messages.flatMap(({ from, to }, index) =>
    from === to && from === 'lifecycle' ? [index] : [],
  );
  return entered[step + 1] ?? messages.length;
}
