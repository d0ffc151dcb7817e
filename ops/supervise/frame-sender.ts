const maxBytesInFlight = 2 << 20;

/** Frames on their way to another process: so much may be under way, the rest is missed and counted. */
export class FrameSender {
  #bytes = 0;
  #missed = 0;

  constructor(private readonly limit = maxBytesInFlight) {}

  /** `write` says when they have left. */
  send(frames: readonly string[], write: (sent: () => void) => void): void {
    const bytes = frames.reduce((sum, { length }) => sum + length, 0);
    if (this.#bytes > 0 && this.#bytes + bytes > this.limit) {
      this.#missed += frames.length;
      return;
    }
    this.#bytes += bytes;
    write(() => {
      this.#bytes -= bytes;
    });
  }

  /** How many were missed since somebody last asked. */
  takeMissed(): number {
    const missed = this.#missed;
    this.#missed = 0;
    return missed;
  }
}
