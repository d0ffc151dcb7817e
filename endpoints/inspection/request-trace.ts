import type { Part, Visit } from '../../runtime/request/observer.js';
import { isOutcome, lifecycleMachine, type LifecycleState } from '../lifecycle/lifecycle-machine.js';
import { type RedactedError, redactError } from './recorded-error.js';
import { actorFrame, eventFrame, type FrameOf, machineJson, snapshotFrame } from './frames.js';

/** One message between two parts, for a sequence diagram. */
export interface TraceStep {
  readonly ms: number;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  /** The lifecycle state after this message. */
  readonly state?: string;
  readonly error?: RedactedError;
}

interface TraceInit {
  readonly host: string;
  readonly id: string;
  readonly command: string;
  readonly publish: (frame: string, trace: Trace) => void;
  readonly maxFrames: number;
}

/** The recording of one request: frames for Stately's tools, steps for a sequence diagram. */
export class Trace {
  readonly frames: string[] = [];
  readonly steps: TraceStep[] = [];
  bytes = 0;
  dropped = 0;
  readonly #rootId: string;
  readonly #parts = new Set<string>();
  readonly #startedMs = performance.now();

  constructor(private readonly init: TraceInit) {
    this.#rootId = `${init.host}/${init.id}`;
  }

  get id(): string {
    return this.init.id;
  }

  entered(part: Part, command: string): Visit {
    if (part === 'lifecycle') return this.#enteredLifecycle();
    const said = messages[part];
    this.message(command, 'lifecycle', part, said.entered);
    return {
      moved: (event) => this.message(command, part, part, event),
      left: (end) => {
        if ('error' in end) this.message(command, part, 'lifecycle', said.failed, end.error);
        else this.message(command, part, 'lifecycle', said.left);
      },
    };
  }

  #enteredLifecycle(): Visit {
    this.#add(actorFrame(this.#of(this.#rootId), this.init.command, machineJson(lifecycleMachine)));
    this.#moved('xstate.init', 'checking');
    return { isWatched: true, moved: (event, to) => this.#moved(event, to as LifecycleState) };
  }

  message(command: string, from: Part, to: Part, type: string, error?: unknown): void {
    const source = this.#sessionOf(command, from);
    const target = this.#sessionOf(command, to);
    const facts = error === undefined ? {} : { error: redactError(error) };
    const event = { type, ...facts };
    this.#add(eventFrame(this.#of(target), event, source));
    if (to !== 'lifecycle') this.#add(snapshotFrame(this.#of(target), event, { status: 'active' }));
    this.#step({ from: nameOf(command, from), to: nameOf(command, to), message: type, ...facts });
  }

  #moved(type: string, state: LifecycleState): void {
    const status = isOutcome(state) ? 'done' : 'active';
    this.#add(eventFrame(this.#of(this.#rootId), { type }));
    this.#add(snapshotFrame(this.#of(this.#rootId), { type }, { status, value: state }));
    this.#step({
      from: 'endpoint',
      to: 'lifecycle',
      message: type === 'xstate.init' ? 'begin' : type,
      state,
    });
    if (status === 'active') return;
    for (const part of this.#parts) {
      this.#add(snapshotFrame(this.#of(part), { type: 'xstate.stop' }, { status: 'done' }));
    }
  }

  /** A part is introduced before its first message. */
  #sessionOf(command: string, part: Part): string {
    if (part === 'lifecycle') return this.#rootId;
    const name = nameOf(command, part);
    const session = `${this.#rootId}/${name.replaceAll(' ', '-')}`;
    if (!this.#parts.has(session)) {
      this.#parts.add(session);
      this.#add(actorFrame(this.#of(session), name, JSON.stringify({ id: name }), this.#rootId));
    }
    return session;
  }

  #of(sessionId: string): FrameOf {
    return { rootId: this.#rootId, sessionId, at: Date.now() };
  }

  #step(step: Omit<TraceStep, 'ms'>): void {
    if (this.steps.length >= this.init.maxFrames) return;
    this.steps.push({ ms: Math.round((performance.now() - this.#startedMs) * 1000) / 1000, ...step });
  }

  #add(frame: string): void {
    if (this.frames.length >= this.init.maxFrames) {
      this.dropped++;
      return;
    }
    this.frames.push(frame);
    this.bytes += frame.length;
    this.init.publish(frame, this);
  }
}

const messages = {
  handler: { entered: 'enter', left: 'succeeded', failed: 'failed' },
  store: { entered: 'commit', left: 'committed', failed: 'refused' },
} as const;

const nameOf = (command: string, part: Part): string => (part === 'handler' ? `${command} handler` : part);
