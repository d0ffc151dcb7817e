import { type ActorRefFrom, createActor } from 'xstate';
import type { PerspectiveTurn } from '../../runtime/perspectives/leases.js';
import type { PerspectiveState } from '../../runtime/perspectives/service-perspectives.js';
import { type RoundPorts, unknownPlace } from './perspective-round.js';
import {
  perspectiveRunnerMachine,
  type RunnerEvent,
  type RunnerSettings,
} from './perspective-runner-machine.js';

export interface RunnerOptions {
  readonly ports: RoundPorts;
  readonly settings: RunnerSettings;
  readonly askForLease: () => void;
  /** The cursor has moved. */
  moved(table: string, position: number): void;
}

/** A perspective on this host, and what is known of it while another host runs it. */
export class PerspectiveRunner {
  readonly #place = unknownPlace();
  readonly #actor: ActorRefFrom<typeof perspectiveRunnerMachine>;
  #turn: PerspectiveTurn | undefined;
  #behindSince: number | undefined;

  constructor(private readonly options: RunnerOptions) {
    const { ports, settings, askForLease } = options;
    this.#actor = createActor(perspectiveRunnerMachine, {
      input: { ports, settings, place: this.#place, askForLease },
    });
    this.#actor.subscribe(() => {
      const { isKnown, position, head } = this.#place;
      if (!isKnown) return;
      if (position >= head) this.#behindSince = undefined;
      options.moved(this.table, position);
    });
    this.#actor.start();
  }

  get table(): string {
    return this.options.ports.table.table;
  }

  send(event: RunnerEvent): void {
    this.#actor.send(event);
  }

  take(turn: PerspectiveTurn): void {
    this.#turn = turn;
    if (turn.position >= turn.head) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    if (!turn.held) return this.#actor.send({ type: 'lost' });
    this.#place.head = Math.max(this.#place.head, turn.head);
    this.#actor.send({ type: 'leased', released: turn.released, owed: turn.owed });
  }

  get state(): PerspectiveState {
    const snapshot = this.#actor.getSnapshot();
    const value =
      typeof snapshot.value === 'string' ? snapshot.value : (Object.keys(snapshot.value)[0] ?? '');
    const isOurs = this.#place.isKnown;
    const position = Math.max(isOurs ? this.#place.position : 0, this.#turn?.position ?? 0);
    const head = Math.max(isOurs ? this.#place.head : 0, this.#turn?.head ?? 0);
    const { error } = snapshot.context;
    return {
      name: this.options.ports.table.name,
      position,
      lag: Math.max(0, head - position),
      behindSeconds: this.#behindSince === undefined ? 0 : (performance.now() - this.#behindSince) / 1_000,
      state: value === 'repairing' ? 'catchingUp' : value,
      parked: isOurs ? this.#place.parked.size : (this.#turn?.parked ?? 0),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** Waits for the round that is under way. */
  async stop(): Promise<void> {
    this.#actor.stop();
    await this.#place.busy;
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
