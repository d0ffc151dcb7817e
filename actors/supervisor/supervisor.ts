import {
  type ActorRefFrom,
  assign,
  createActor,
  fromPromise,
  setup,
  stopChild,
  toPromise,
  waitFor,
} from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { restartDefaults } from './restart-policy.js';
import type { Child, ChildStatus, Running } from './child.js';
import { type ChildEnd, type ChildSettings, supervisedChildMachine } from './supervised-child-machine.js';

type ChildRef = ActorRefFrom<typeof supervisedChildMachine>;

interface SupervisorContext {
  readonly settings: ChildSettings;
  readonly children: readonly ChildRef[];
  /** The failure that stopped all children. */
  readonly failure: unknown;
}

type SupervisorEvent =
  | { readonly type: 'start'; readonly child: Child }
  | { readonly type: 'forget'; readonly child: ChildRef }
  | { readonly type: 'stop' }
  | { readonly type: `xstate.done.actor.${string}`; readonly output: ChildEnd }
  | { readonly type: `xstate.error.actor.${string}`; readonly error: unknown };

/** Children in start order; when one fails for good, all are stopped in reverse order. */
export const supervisorMachine = setup({
  types: {
    context: {} as SupervisorContext,
    events: {} as SupervisorEvent,
    input: {} as ChildSettings,
    output: {} as { readonly failure: unknown },
  },
  actors: {
    child: supervisedChildMachine,
    stopInReverse: fromPromise<void, readonly ChildRef[]>(({ input }) => stopInReverse(input)),
  },
}).createMachine({
  id: 'supervisor',
  context: ({ input }) => ({ settings: input, children: [], failure: undefined }),
  initial: 'supervising',
  states: {
    supervising: {
      on: {
        start: {
          actions: assign(({ context: { settings, children }, event, spawn }) => ({
            children: [...children, spawn('child', { input: { ...settings, child: event.child } })],
          })),
        },
        forget: {
          actions: [
            assign(({ context, event }) => ({
              children: context.children.filter((child) => child !== event.child),
            })),
            stopChild(({ event }) => event.child),
          ],
        },
        stop: 'stopping',
        'xstate.done.actor.*': {
          guard: ({ event }) => event.output.hasFailed,
          target: 'stopping',
          actions: assign(({ event }) => ({ failure: failureOf(event.output) })),
        },
        'xstate.error.actor.*': {
          target: 'stopping',
          actions: assign(({ event }) => ({ failure: event.error })),
        },
      },
    },
    stopping: {
      // A child that ends meanwhile is what this state waits for.
      on: { 'xstate.error.actor.*': {} },
      invoke: {
        src: 'stopInReverse',
        input: ({ context }) => context.children,
        onDone: 'stopped',
        onError: 'stopped',
      },
    },
    stopped: { type: 'final' },
  },
  output: ({ context: { failure } }) => ({ failure }),
});

const failureOf = ({ name, error }: ChildEnd): Problem =>
  new Problem('child-failed', {
    detail: `${name} cannot be kept running: ${messageOf(error)}`,
    cause: error,
  });

async function stopInReverse(children: readonly ChildRef[]): Promise<void> {
  for (const child of children.toReversed()) {
    child.send({ type: 'stop' });
    await waitFor(child, ({ status }) => status !== 'active').catch(() => undefined);
  }
}

/** Keeps the parts of a host running: a crash is contained, reported, counted and followed by a restart. */
export class Supervisor {
  readonly #actor: ActorRefFrom<typeof supervisorMachine>;
  /** Resolves when everything has stopped, with the failure if there was one. */
  readonly ended: Promise<unknown>;

  constructor(settings: Partial<ChildSettings> = {}) {
    this.#actor = createActor(supervisorMachine, {
      input: { policy: restartDefaults, random: Math.random, now: Date.now, ...settings },
    });
    this.ended = toPromise(this.#actor).then(
      ({ failure }) => failure,
      (error: unknown) => error,
    );
    this.#actor.start();
  }

  /** Starts a child after the earlier ones; returns the result of its first start. */
  async start<T extends Running>(child: Child<T>): Promise<T> {
    this.#actor.send({ type: 'start', child });
    const started = this.#children.at(-1);
    if (started === undefined || started.getSnapshot().context.child !== child) throw new Problem('draining');
    const { context, status } = await waitFor(started, (snapshot) => !snapshot.matches('starting'));
    if (status === 'done' && !context.everRan) throw context.lastError;
    return context.running as T;
  }

  /** Adds a resource that others depend on; it does not crash by itself, and is released in order. */
  async keep<T>(
    name: string,
    open: () => T | Promise<T>,
    letGo: (kept: T) => unknown,
    waiting?: (kept: T) => number,
  ): Promise<T> {
    const start = async () => {
      const kept = await open();
      const running = { kept, stop: () => letGo(kept) };
      if (waiting === undefined) return running;
      return Object.defineProperty(running, 'mailbox', { get: () => waiting(kept) });
    };
    return (await this.start({ name, isVital: true, start })).kept;
  }

  /** Stops one child and forgets it; the others run on. */
  async remove(child: Child): Promise<void> {
    const removed = this.#children.find((ref) => ref.getSnapshot().context.child === child);
    if (removed === undefined) return;
    if (removed.getSnapshot().status === 'active') removed.send({ type: 'stop' });
    await waitFor(removed, ({ status }) => status !== 'active').catch(() => undefined);
    if (this.#actor.getSnapshot().status === 'active') this.#actor.send({ type: 'forget', child: removed });
  }

  /** Stops in reverse order; a child that cannot be stopped cleanly does not block the others. */
  async stop(): Promise<void> {
    this.#actor.send({ type: 'stop' });
    await this.ended;
    const failure = this.#children
      .map((child) => child.getSnapshot().context.stopFailure)
      .find((error) => error !== undefined);
    if (failure !== undefined) throw failure;
  }

  get tree(): readonly ChildStatus[] {
    return this.#children.map((child) => statusOf(child));
  }

  get #children(): readonly ChildRef[] {
    return this.#actor.getSnapshot().context.children;
  }
}

function statusOf(child: ChildRef): ChildStatus {
  const { value, context } = child.getSnapshot();
  const { restarts, since, lastError, running } = context;
  return {
    name: context.child.name,
    state: value,
    restarts,
    since,
    ...(lastError === undefined ? {} : { lastError: messageOf(lastError) }),
    ...(running?.mailbox === undefined ? {} : { mailbox: running.mailbox }),
    ...(running?.children === undefined ? {} : { children: running.children }),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
