import { Socket } from 'node:net';

/** The sockets of a pool, of which some may only connect yet. */
export class OpenSockets {
  readonly #open = new Set<Socket>();

  /** A new one, for a client. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  };

  /** Ends what is open, so that nobody waits for its answers. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
