import type { RequestItem } from './requests.js';

/** One request of a trace, in parts of the whole time. */
interface WaterfallRow {
  readonly request: RequestItem;
  /** From 0 to 100. */
  readonly x: number;
  readonly parts: readonly WaterfallPart[];
  /** Since the begin of the trace. */
  readonly offsetMs: number;
}

interface WaterfallPart {
  readonly state: string;
  readonly x: number;
  readonly width: number;
}

/** The requests of a trace in the order of their begin; the clocks of hosts may differ a little. */
export function waterfallOf(requests: readonly RequestItem[]): {
  readonly rows: readonly WaterfallRow[];
  readonly totalMs: number;
} {
  const times = requests.map(({ startedAt, ms }) => ({
    from: Date.parse(startedAt),
    to: Date.parse(startedAt) + ms,
  }));
  const begin = Math.min(...times.map(({ from }) => from));
  const totalMs = Math.max(0.001, Math.max(...times.map(({ to }) => to)) - begin);
  const share = (ms: number): number => (100 * ms) / totalMs;
  const rows = requests.map((request) => {
    const offsetMs = Date.parse(request.startedAt) - begin;
    let x = share(offsetMs);
    const parts = partsOf(request).map(([state, ms]) => {
      const part = { state, x, width: Math.max(0.4, share(ms)) };
      x += share(ms);
      return part;
    });
    return { request, x: share(offsetMs), parts, offsetMs };
  });
  return { rows: rows.toSorted((one, other) => one.offsetMs - other.offsetMs), totalMs };
}

const partsOf = ({ states, outcome, ms }: RequestItem): readonly (readonly [state: string, ms: number])[] =>
  states.length === 0 ? [[outcome, ms]] : states;
