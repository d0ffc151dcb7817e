import type { AnyStateMachine, StateValue } from 'xstate';
import type { MovedActor } from '../../actors/steps/moved-actor.js';
import { redacted } from '../../contracts/redaction.js';
import type { RedactedError } from './recorded-error.js';

/** The subject of a frame: an actor of one request, and the time. */
export interface FrameOf {
  readonly rootId: string;
  readonly sessionId: string;
  readonly at: number;
}

interface FrameEvent {
  readonly type: string;
  readonly error?: RedactedError | undefined;
}

interface FrameState {
  readonly status: 'active' | 'done';
  readonly value?: StateValue;
}

/** The version of Stately's inspection protocol that these frames follow. */
const protocolVersion = '0.7.2';

/** An actor was created; `definition` is its machine as JSON. */
export const actorFrame = (of: FrameOf, name: string, definition: string, parentId?: string): string =>
  frame('@xstate.actor', of, { name, parentId, definition, snapshot: snapshotOf({ status: 'active' }) });

/** A message was sent; from outside when there is no source. */
export const eventFrame = (of: FrameOf, event: FrameEvent, sourceId?: string): string =>
  frame('@xstate.event', of, { event, sourceId });

/** An actor processed a message and is now in this state. */
export const snapshotFrame = (of: FrameOf, event: FrameEvent, state: FrameState): string =>
  frame('@xstate.snapshot', of, { event, snapshot: snapshotOf(state) });

function frame(type: string, { rootId, sessionId, at }: FrameOf, rest: object): string {
  const createdAt = String(at);
  return JSON.stringify({ type, rootId, sessionId, createdAt, id: null, _version: protocolVersion, ...rest });
}

/** Contains only public data; the placeholder shows where context was left out. */
const snapshotOf = ({ status, value }: FrameState) => ({
  status,
  value,
  tags: [],
  children: {},
  context: redacted,
  input: redacted,
  output: redacted,
});

/**
 * An instance of a process, or a request of an effect, as an actor of Stately's protocol. It is introduced in every step: it may have begun on another host, or
 * before anyone looked.
 */
export function framesOfSteps(host: string, shown: MovedActor): readonly string[] {
  const { name, key, machine, steps, hasEnded } = shown;
  const sessionId = `${host}/${name}/${key}`;
  const of = { rootId: sessionId, sessionId, at: Date.now() };
  return [
    actorFrame(of, `${name} ${key}`, machineJson(machine)),
    ...steps.flatMap(({ event: type, to }, index) => {
      const status = hasEnded && index === steps.length - 1 ? 'done' : 'active';
      return [eventFrame(of, { type }), snapshotFrame(of, { type }, { status, value: stateValueOf(to) })];
    }),
  ];
}

/** `open.waiting` and `stock.reserved, payment.due`, as XState writes them. */
export function stateValueOf(text: string): StateValue {
  const byState = new Map<string, string[]>();
  for (const path of text.split(', ')) {
    const [state = '', ...inner] = path.split('.');
    byState.set(state, [...(byState.get(state) ?? []), inner.join('.')]);
  }
  const [[only = '', within = []] = []] = byState;
  if (byState.size === 1 && within.join('') === '') return only;
  return Object.fromEntries(
    [...byState].map(([state, inside]) => [
      state,
      inside.join('') === '' ? {} : stateValueOf(inside.join(', ')),
    ]),
  );
}

/** The machine as JSON for Stately's tools; a function is shown by its name. */
export function machineJson(machine: AnyStateMachine): string {
  // The initial context is not part of the chart.
  const chart = 'context' in machine.config ? { ...machine.config, context: {} } : machine.config;
  return JSON.stringify(chart, (key, value: unknown) => {
    if (typeof value !== 'function') return value;
    return value.name === '' || value.name === key ? 'inline' : value.name;
  });
}
