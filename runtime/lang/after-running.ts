const lookEveryMs = 250;
/** What the time between two looks counts at most: beyond it the process was frozen. */
const longestMs = 500;

/**
 * Runs the task after this much time in which the process could run; the returned function cancels it. A process that
 * was frozen, as with its virtual machine, has the rest of its time afterwards: a timeout would be over at once.
 */
export function afterRunning(ms: number, task: () => void, now = () => performance.now()): () => void {
  let left = ms;
  let hasGrace = true;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const from = now();
    timer = setTimeout(
      () => {
        const elapsedMs = now() - from;
        left -= Math.min(elapsedMs, longestMs);
        if (left <= 0 && elapsedMs > longestMs && hasGrace) {
          // Timers run before anything is read: what arrived meanwhile is handled first.
          hasGrace = false;
          left = lookEveryMs;
        }
        if (left > 0) wait();
        else task();
      },
      Math.min(left, lookEveryMs),
    );
  };
  wait();
  return () => clearTimeout(timer);
}
