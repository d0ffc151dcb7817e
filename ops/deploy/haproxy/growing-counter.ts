/** Requests and errors of one server. */
interface Counted {
  readonly requests: number;
  readonly errors: number;
}

/** Makes counters that only grow from those of HAProxy, which begin at zero when it restarts. */
export class GrowingCounter {
  #before: Counted = { requests: 0, errors: 0 };
  #last: Counted = { requests: 0, errors: 0 };

  add({ requests, errors }: Counted): Counted {
    const last = this.#last;
    if (requests < last.requests || errors < last.errors)
      this.#before = {
        requests: this.#before.requests + last.requests,
        errors: this.#before.errors + last.errors,
      };
    this.#last = { requests, errors };
    return { requests: this.#before.requests + requests, errors: this.#before.errors + errors };
  }
}
