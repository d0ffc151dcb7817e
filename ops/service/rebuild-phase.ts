interface RebuildShown {
  readonly done: number;
  readonly total: number;
  readonly step?: string | undefined;
}

const phases: Readonly<Record<string, string>> = {
  requested: 'is about to begin',
  preparing: 'counts its events',
  verifying: 'verifies its rows',
  swapping: 'swaps its tables',
  swapped: 'ends',
  completing: 'ends',
};

/** What a rebuild does when it does not fold events. */
export function rebuildPhase({ done, total, step }: RebuildShown): string | undefined {
  const phase = phases[step ?? ''];
  if (phase !== undefined) return phase;
  if (total === 0 || done < total) return undefined;
  return step === 'replaying' ? 'writes its rows' : 'is about to end';
}

/** Never 100 while it is being rebuilt. */
export const rebuildPercent = ({ done, total }: RebuildShown): number =>
  Math.min(99, Math.floor((100 * done) / Math.max(1, total)));
