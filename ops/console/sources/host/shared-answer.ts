const freshMs = 2_000;
/** A large store is asked for its figures during at most a tenth of the time. */
const restShare = 10;

/** Pages that look at the same time share one answer. */
export function sharedAnswer<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (latest !== undefined && now < latest.until) return latest.answer;
    const own = { answer: read(), until: Infinity };
    latest = own;
    own.answer.then(
      () => (own.until = now + freshMs + restShare * (performance.now() - now)),
      () => (latest = undefined),
    );
    return own.answer;
  };
}
