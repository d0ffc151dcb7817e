import type { Long } from '../../contracts/scalars.js';

/** Figures that are counted again now and then. */
interface Counted<T> {
  readonly last: () => T;
  /** What was counted last, also while it is counted again. Who asks when it is time waits for the new figures. */
  readonly read: (now?: boolean) => Promise<T>;
}

/** Counting takes no more than this share of a connection's time. */
const countShare = 0.01;
const longestRestMs = 300_000;

export function counted<T>(first: T, count: () => Promise<T>, restMs: (found: T) => number): Counted<T> {
  let last = first;
  let isCounted = false;
  let latest: Promise<T> = Promise.resolve(first);
  let after = 0;
  const again = oneAtATime(async () => {
    const startedAt = performance.now();
    after = Infinity;
    try {
      last = await count();
      isCounted = true;
      return last;
    } finally {
      // Also when it failed: a count that the server stopped has taken long.
      const restedMs = Math.min(longestRestMs, (performance.now() - startedAt) / countShare);
      after = startedAt + Math.max(restMs(last), restedMs);
    }
  });
  return {
    last: () => last,
    read: (now = false) => {
      if (now || performance.now() >= after) {
        latest = again();
        return latest;
      }
      // What was never counted is unknown, not zero.
      return isCounted ? Promise.resolve(last) : latest;
    },
  };
}

/** Reads again only if something was found, if the log has grown since, or after a while. */
export function readUnlessIdle<T>(
  leases: { readonly head: Long | undefined },
  read: () => Promise<T>,
  isNothing: (found: T) => boolean,
  againMs: number,
): () => Promise<T> {
  let last: { readonly found: T; readonly head: Long | undefined; readonly at: number } | undefined;
  return oneAtATime(async () => {
    const [{ head }, at] = [leases, performance.now()];
    const isSame = head !== undefined && head === last?.head;
    if (last !== undefined && isSame && isNothing(last.found) && at - last.at < againMs) return last.found;
    last = { found: await read(), head, at };
    return last.found;
  });
}

/** A store that does not answer is not asked again meanwhile. */
function oneAtATime<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= task().finally(() => {
      running = undefined;
    }));
}
