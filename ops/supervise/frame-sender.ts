const maxBytesInFlight = 2 << 20;

/** Sends frames to another process with a limit on those in flight; frames over the limit are dropped and counted. */
export class FrameSender {
  #bytes = 0;
  #missed = 0;

  constructor(private readonly limit = maxBytesInFlight) {}

  /** `write` calls back when the frames have been written. */
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

  /** The number of frames dropped since the last call. */
  takeMissed(): number {
    const missed = this.#missed;
    this.#missed = 0;
    return missed;
  }
}
