/** Runs the body again and again, each time this long after the last one ended, which must not fail. */
export function periodically(
  everyMs: number,
  body: (isStopped: () => boolean) => Promise<unknown>,
): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    await body(() => isStopped);
    schedule();
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run();
    }, everyMs);
    // A program that has nothing else to do may end.
    timer.unref();
  };
  schedule();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
