import type { RequestDetail } from './requests.js';

/** Something that happened to a request, by the time since it began. */
interface RequestStep {
  readonly atMs: number;
  /** A state, or who said something to whom. */
  readonly what: string;
  /** The message, where it was recorded. */
  readonly message: string;
  readonly failed: boolean;
}

/** What was recorded while the request was watched; otherwise the states that it entered. */
export const stepsOf = (request: RequestDetail): readonly RequestStep[] =>
  request.steps.length > 0 ? request.steps.map(messageStep) : stateSteps(request);

const messageStep = ({
  ms,
  from,
  to,
  message,
  state,
  error,
}: RequestDetail['steps'][number]): RequestStep => ({
  atMs: ms,
  what: state ?? `${from} → ${to}`,
  message: [message, error?.code ?? error?.name].filter(Boolean).join(' '),
  failed: error !== undefined || state === 'failed',
});

function stateSteps({ states, outcome, ms, failedIn, error }: RequestDetail): readonly RequestStep[] {
  let atMs = 0;
  const entered = states.map(([what, spent]): RequestStep => {
    const failed = failedIn === what;
    const step = { atMs, what, message: failed ? (error ?? '') : '', failed };
    atMs += spent;
    return step;
  });
  if (outcome === 'running') return entered;
  return [...entered, { atMs: Math.max(atMs, ms), what: outcome, message: '', failed: outcome === 'failed' }];
}
