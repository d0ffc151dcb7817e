/** The counters of one process, by its name: it begins at zero again when the process does. */
export type CountsByPod = ReadonlyMap<string, RequestCounts>;

export interface RequestCounts {
  readonly requests: number;
  readonly errors: number;
}

/** Adds up counters of pods that come, restart and go, so that the sum only grows. */
export class GrowingCounts {
  #last: CountsByPod = new Map();
  #requests = 0;
  #errors = 0;

  /** A pod that is missing may only have missed one answer: what it counted stays, and it continues from there. */
  add(counts: CountsByPod): RequestCounts {
    for (const [pod, now] of counts) {
      const before = this.#last.get(pod) ?? { requests: 0, errors: 0 };
      const isRestarted = now.requests < before.requests || now.errors < before.errors;
      this.#requests += now.requests - (isRestarted ? 0 : before.requests);
      this.#errors += now.errors - (isRestarted ? 0 : before.errors);
    }
    this.#last = new Map([...this.#last, ...counts]);
    return { requests: this.#requests, errors: this.#errors };
  }
}
