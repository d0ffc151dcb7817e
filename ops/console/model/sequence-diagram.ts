import type { RequestItem, SequenceStep } from './requests.js';

/** The actor that works in a state. */
const actorOfState: Readonly<Record<string, string>> = {
  mapping: 'mapping',
  before: 'before-hook',
  dispatching: 'handler',
  after: 'after-hook',
  recovering: 'error-hook',
};

/** The messages of a request, derived from the times of its states, which every request has. */
export function stepsOf(request: RequestItem): SequenceStep[] {
  const { states, outcome, failedIn, error, ms, transport } = request;
  const asked = transport === 'graphql' ? 'mutation' : 'POST';
  if (outcome === 'rejected' || outcome === 'replayed') return unstartedSteps(request, asked);
  const steps: SequenceStep[] = [message(0, 'client', 'lifecycle', asked)];
  let at = 0;
  for (const [state, spent] of states) {
    steps.push(message(at, 'lifecycle', 'lifecycle', state));
    const worker = actorOfState[state];
    if (worker !== undefined) steps.push(message(at, 'lifecycle', worker, 'call'));
    at += spent;
    const isOver = outcome !== 'running' || state !== states.at(-1)?.[0];
    if (worker !== undefined && isOver) {
      const failed =
        failedIn === state || (state === 'dispatching' && states.some(([name]) => name === 'recovering'));
      steps.push(
        message(at, worker, 'lifecycle', failed ? `threw ${error ?? ''}`.trim() : 'returned', failed),
      );
    }
  }
  if (outcome === 'running') return steps;
  const failed = outcome === 'failed';
  steps.push(message(ms, 'lifecycle', 'lifecycle', outcome, failed));
  steps.push(
    message(ms, 'lifecycle', 'client', failed || outcome === 'cancelled' ? 'problem' : 'result', failed),
  );
  return steps;
}

/** The lifecycle never began: the endpoint answered. */
function unstartedSteps({ outcome, status, error }: RequestItem, asked: string): SequenceStep[] {
  const isRejected = outcome === 'rejected';
  const answer = isRejected ? [status, error].filter(Boolean).join(' ') : 'stored answer';
  return [
    message(0, 'client', 'endpoint', asked),
    message(0, 'endpoint', 'endpoint', outcome, isRejected),
    message(0, 'endpoint', 'client', answer, isRejected),
  ];
}

/** A recorded message of a request; a message to the lifecycle includes its next state. */
interface RecordedStep {
  readonly ms: number;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly state?: string;
  readonly error?: { readonly name: string; readonly code: string | undefined };
}

/** The messages of a request that was recorded while watched: with its handler and the store. */
export function recordedStepsOf(recorded: readonly RecordedStep[], request: RequestItem): SequenceStep[] {
  const [first, ...rest] = stepsOf({ ...request, states: [] });
  const steps = first === undefined ? [] : [first];
  let state = '';
  for (const { ms, from, to, message: text, state: next, error } of recorded) {
    if (next === undefined) {
      const label = error === undefined ? text : `${text} ${error.code ?? error.name}`;
      steps.push(message(ms, from, to, label, error !== undefined));
      continue;
    }
    const worker = state === 'dispatching' ? undefined : actorOfState[state];
    if (worker !== undefined) steps.push(message(ms, worker, 'lifecycle', text, text === 'failed'));
    state = next;
    if (next === request.outcome) continue;
    steps.push(message(ms, 'lifecycle', 'lifecycle', next));
    if (next !== 'dispatching' && actorOfState[next] !== undefined)
      steps.push(message(ms, 'lifecycle', actorOfState[next], 'call'));
  }
  return [...steps, ...rest];
}

const message = (atMs: number, from: string, to: string, text: string, failed = false): SequenceStep => ({
  atMs,
  from,
  to,
  message: text,
  ...(failed ? { failed } : {}),
});

/** All actors, in the order of their first message. */
export const actorsIn = (steps: readonly SequenceStep[]): readonly string[] => [
  ...new Set(steps.flatMap(({ from, to }) => [from, to])),
];

/** The position of an actor's line, and the width and label of its box. */
interface Lifeline {
  readonly actor: string;
  readonly label: string;
  readonly x: number;
  readonly width: number;
}

const longestLabel = 36;
const narrowestBox = 114;
const leastBetweenBoxes = 14;

/** Side by side, each box as wide as its label. */
export function lifelinesOf(actors: readonly string[]): readonly Lifeline[] {
  const usual = actors.length > 5 ? 122 : 148;
  const lifelines: Lifeline[] = [];
  for (const actor of actors) {
    const label = actor.length > longestLabel ? `${actor.slice(0, longestLabel - 1)}…` : actor;
    const width = Math.max(narrowestBox, Math.ceil(widthOf(label)) + 16);
    const last = lifelines.at(-1);
    const x =
      last === undefined
        ? width / 2 + 15
        : last.x + Math.max(usual, (last.width + width) / 2 + leastBetweenBoxes);
    lifelines.push({ actor, label, x, width });
  }
  return lifelines;
}

/** An upper bound of the width in bold letters. */
const widthOf = (label: string): number =>
  7.4 * label.length + 3.6 * label.replaceAll(/[a-ln-vx-z0-9 .-]/g, '').length;
