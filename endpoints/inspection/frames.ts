import type { StateValue } from 'xstate';
import type { RedactedError } from './redacted-error.js';
import { redacted } from './redacted-error.js';

/** The subject of a frame: an actor of one request, and the time. */
export interface FrameOf {
  readonly rootId: string;
  readonly sessionId: string;
  /** Unix time in milliseconds. */
  readonly at: number;
}

interface FrameActor {
  readonly name: string;
  readonly parentId: string | undefined;
  /** The machine's JSON. */
  readonly definition: string;
}

export interface FrameState {
  readonly status: 'active' | 'done' | 'error';
  readonly value?: StateValue;
}

interface FrameEvent {
  readonly type: string;
  readonly error?: RedactedError | undefined;
}

/** The version of Stately's inspection protocol that these frames follow. */
const protocolVersion = '0.7.2';

/** An actor was created. */
export const actorFrame = (of: FrameOf, { name, parentId, definition }: FrameActor): string =>
  frame('@xstate.actor', of, { name, parentId, definition, snapshot: snapshotOf({ status: 'active' }) });

/** A message was sent; from outside when there is no source. */
export const eventFrame = (of: FrameOf, event: FrameEvent, sourceId: string | undefined): string =>
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
