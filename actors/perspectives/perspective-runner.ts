import { type ActorRefFrom, createActor } from 'xstate';
import type { Long } from '../../contracts/scalars.js';
import type { PerspectiveTurn } from '../../runtime/perspectives/leases.js';
import type { PerspectiveState } from '../../runtime/perspectives/service-perspectives.js';
import type { Child, Running } from '../supervisor/child.js';
import { endOrphansOf } from '../supervisor/orphans.js';
import { aheadOfLog } from './ahead-of-log.js';
import { type Place, unknownPlace } from './perspective-place.js';
import type { RoundPorts } from './perspective-round.js';
import {
  perspectiveRunnerMachine,
  type RunnerEvent,
  type RunnerSettings,
} from './perspective-runner-machine.js';

interface RunnerOptions {
  readonly ports: RoundPorts;
  readonly settings: RunnerSettings;
  readonly askForLease: () => void;
  /** The cursor has moved. */
  moved(table: string, position: number): void;
}

interface Life {
  readonly place: Place;
  readonly actor: ActorRefFrom<typeof perspectiveRunnerMachine>;
}

/** A perspective on this host, and what is known of it while another host runs it. */
export class PerspectiveRunner implements Child {
  #life: Life | undefined;
  #turn: PerspectiveTurn | undefined;
  #behindSince: number | undefined;

  constructor(private readonly options: RunnerOptions) {}

  get name(): string {
    return `${this.options.ports.table.name} perspective`;
  }

  /** Each life begins without a lease, and knows nothing of the one before. */
  start(crashed: (error: unknown) => void): Running {
    const { ports, settings, askForLease } = this.options;
    const place = unknownPlace();
    const actor = createActor(perspectiveRunnerMachine, { input: { ports, settings, place, askForLease } });
    this.#life = { place, actor };
    actor.subscribe({
      next: () => this.#moved(place),
      error: (error: unknown) => {
        this.#life = undefined;
        endOrphansOf(actor);
        crashed(error);
      },
    });
    actor.start();
    askForLease();
    const stop = async (): Promise<void> => {
      actor.stop();
      // The round that is under way.
      await place.busy;
    };
    return { stop };
  }

  get table(): string {
    return this.options.ports.table.table;
  }

  send(event: RunnerEvent): void {
    this.#life?.actor.send(event);
  }

  take(turn: PerspectiveTurn): void {
    this.#turn = turn;
    if (turn.position >= turn.head) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    if (this.#life === undefined) return;
    const { place, actor } = this.#life;
    if (!turn.held) return actor.send({ type: 'lost' });
    place.head = Math.max(place.head, turn.head);
    actor.send({ type: 'leased', released: turn.released, owed: turn.owed });
  }

  get state(): PerspectiveState {
    const ours = this.#life?.place.isKnown === true ? this.#life.place : undefined;
    const position = Math.max(ours?.position ?? 0, this.#turn?.position ?? 0);
    const head = Math.max(ours?.head ?? 0, this.#turn?.head ?? 0);
    const { state, error = this.#ahead() } = this.#doing();
    const notServed = this.#turn?.notServed;
    return {
      name: this.options.ports.table.name,
      position,
      lag: Math.max(0, head - position),
      behindSeconds: this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1_000,
      state: notServed === undefined ? state : 'failed',
      parked: ours?.parked.size ?? this.#turn?.parked ?? 0,
      ...(error === undefined ? {} : { error }),
      ...(notServed === undefined ? {} : { notServed }),
    };
  }

  /** Undefined while another host runs it. */
  get hasParked(): boolean | undefined {
    const place = this.#life?.place;
    return place?.isKnown === true ? place.parked.size > 0 : undefined;
  }

  /** The store shows a write a moment before the round that made it goes on: only then the state tells all of it. */
  async told(position: Long): Promise<void> {
    const place = this.#life?.place;
    if (place?.isKnown === true && place.position < position) await place.busy;
  }

  #doing(): { readonly state: string; readonly error?: string | undefined } {
    if (this.#life === undefined) return { state: 'crashed' };
    const { value, context } = this.#life.actor.getSnapshot();
    const state = typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
    return { state: state === 'repairing' ? 'catchingUp' : state, error: context.error };
  }

  /** Another host runs it, and would be as silent as this one if nobody compared. */
  #ahead(): string | undefined {
    if (this.#turn === undefined || this.#turn.position <= this.#turn.head) return undefined;
    return aheadOfLog(this.options.ports.table.name, this.#turn.position, this.#turn.head).message;
  }

  #moved({ isKnown, position, head }: Place): void {
    if (!isKnown) return;
    if (position >= head) this.#behindSince = undefined;
    this.options.moved(this.table, position);
  }
}

/** Before its table is there. */
export const startingState = (name: string): PerspectiveState => ({
  name,
  position: 0,
  lag: 0,
  behindSeconds: 0,
  state: 'starting',
  parked: 0,
});
