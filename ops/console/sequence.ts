import type { RequestSummary, SequenceStep } from '../../endpoints/console/source.js';

/** Who does the work of a state. */
const workers: Readonly<Record<string, string>> = {
  mapping: 'mapping',
  before: 'before-hook',
  dispatching: 'handler',
  after: 'after-hook',
  recovering: 'error-hook',
};

/** The messages of a request, told from the times of its states alone: every request has those. */
export function stepsOf({ states, outcome, failedIn, error, ms, transport }: RequestSummary): SequenceStep[] {
  const steps: SequenceStep[] = [
    message(0, 'client', 'lifecycle', transport === 'graphql' ? 'mutation' : 'POST'),
  ];
  let at = 0;
  for (const [state, spent] of states) {
    steps.push(message(at, 'lifecycle', 'lifecycle', state));
    const worker = workers[state];
    if (worker !== undefined) steps.push(message(at, 'lifecycle', worker, 'call'));
    at += spent;
    if (worker !== undefined) {
      const failed =
        failedIn === state || (state === 'dispatching' && states.some(([name]) => name === 'recovering'));
      steps.push(
        message(at, worker, 'lifecycle', failed ? `threw ${error ?? ''}`.trim() : 'returned', failed),
      );
    }
  }
  const failed = outcome === 'failed';
  steps.push(message(ms, 'lifecycle', 'lifecycle', outcome, failed));
  steps.push(
    message(ms, 'lifecycle', 'client', failed || outcome === 'cancelled' ? 'problem' : 'result', failed),
  );
  return steps;
}

const message = (atMs: number, from: string, to: string, text: string, failed = false): SequenceStep => ({
  atMs,
  from,
  to,
  message: text,
  ...(failed ? { failed } : {}),
});

/** Everybody who takes part, in the order in which they first do. */
export const actorsIn = (steps: readonly SequenceStep[]): readonly string[] => [
  ...new Set(steps.flatMap(({ from, to }) => [from, to])),
];
