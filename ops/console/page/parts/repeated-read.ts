import { useEffect } from 'preact/hooks';

const everyMs = 2_000;

/** Reads again and again, one read at a time: a slow host is not asked again meanwhile. */
export function useRepeatedly(
  load: (stopped: AbortSignal) => Promise<void>,
  inputs: readonly (string | undefined)[],
): void {
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const turn = (): void =>
      void load(stop.signal).finally(() => {
        if (!stop.signal.aborted) timer = setTimeout(turn, everyMs);
      });
    turn();
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, inputs);
}
