const answerTimeoutMs = 2_000;
const maxPending = 256;

/** Questions to another process that wait for an answer, with limits on their number and time. */
export class PendingQuestions<T> {
  readonly #waiting = new Map<number, (answer: T | undefined) => void>();
  #asked = 0;

  constructor(private readonly withinMs = answerTimeoutMs) {}

  /** Undefined if no answer arrives in time. */
  ask(send: (id: number) => void): Promise<T | undefined> {
    const id = ++this.#asked;
    if (this.#waiting.size >= maxPending) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timeout = setTimeout(() => this.answer(id, undefined), this.withinMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timeout);
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
