const patienceMs = 2_000;

/** Questions to another process that wait for their answers; nobody waits for ever. */
export class Questions<T> {
  readonly #waiting = new Map<number, (answer: T | undefined) => void>();
  #asked = 0;

  /** Undefined when no answer comes in time. */
  ask(send: (id: number) => void): Promise<T | undefined> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      const givingUp = setTimeout(() => this.answer(id, undefined), patienceMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(givingUp);
        resolve(answer);
      });
      send(id);
    });
  }

  answer(id: number, answer: T | undefined): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
