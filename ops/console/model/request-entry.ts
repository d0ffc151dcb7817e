import type { LifecycleFigures } from './lifecycle.js';
import type { PlacedState } from './statechart-layout.js';

/** Where requests end that never reach the machine. */
export interface PlacedEntry {
  readonly outcome: 'rejected' | 'replayed';
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly path: string;
}

export const entrySize = { width: 100, height: 46 };

const gap = 34;
const beforeState = 10;

/** Above the first state: edges leave it to the right, so that nothing else is there. */
export function entriesAbove(
  first: PlacedState,
  figures: Pick<LifecycleFigures, 'rejected' | 'replayed'> | undefined,
): readonly PlacedEntry[] {
  const start = { x: first.x - first.width / 2 - beforeState, y: first.y };
  const ends = ['rejected', 'replayed'] as const;
  return ends.map((outcome, index) => {
    const y = first.y - first.height / 2 - gap - entrySize.height / 2 - index * (entrySize.height + 14);
    const left = first.x - entrySize.width / 2;
    return {
      outcome,
      count: figures?.[outcome] ?? 0,
      x: first.x,
      y,
      path: `M${start.x} ${start.y} V${y + 8} Q${start.x} ${y} ${start.x + 8} ${y} H${left}`,
    };
  });
}
