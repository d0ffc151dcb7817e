import type { AnswersByHost } from './combine-answers.js';

/** Counts only grow: a host that is silent for a moment must not look as if all its requests came at once afterwards. */
export class LastKnown<T> {
  #known: ReadonlyMap<string, T | undefined> = new Map();

  /** The answers, with the last one of each host that gave none. */
  update(answers: AnswersByHost<T>): AnswersByHost<T> {
    const filled = answers.map(([host, answer]) => [host, answer ?? this.#known.get(host)] as const);
    this.#known = new Map(filled);
    return filled;
  }
}
