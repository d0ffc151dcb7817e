import type { UnitStore } from '../../contracts/unit-store.js';
import { StagedStep } from '../../runtime/staged-step.js';
import type { CursorRun } from './cursor-run.js';

/** Stores how far the idle cursors of a host have read, all in one unit, so that their lag is true. */
export async function advanceIdle(
  runs: readonly CursorRun[],
  store: Pick<UnitStore, 'commit'>,
): Promise<void> {
  const idle = runs.flatMap((run) => {
    const mark = run.idleMark();
    return mark === undefined ? [] : [{ run, mark }];
  });
  if (idle.length === 0) return;
  try {
    await store.commit(new StagedStep().unit({ handled: idle.map(({ mark }) => mark) }));
  } catch {
    // It does not say which of them another host has taken.
    for (const { run, mark } of idle) run.advance(mark);
  }
}
