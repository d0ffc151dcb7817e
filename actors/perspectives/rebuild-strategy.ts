import { RebuildMode } from '../../contracts/perspective.js';
import type { RunningRebuild } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import { StreamsRebuild } from '../../runtime/perspectives/rebuild/rebuild-streams.js';
import { BlueGreenRebuild } from './rebuild-blue-green.js';
import { InPlaceRebuild } from './rebuild-in-place.js';
import type { Reports } from './rebuild-round.js';

/** The steps of a rebuild in any mode; each can be repeated after a crash. */
export interface RebuildStrategy {
  prepare(): Promise<void>;
  replay(): Promise<void>;
  verify?(): Promise<void>;
  swap?(): Promise<void>;
  /** Removes what readers do not see. */
  abandon?(): Promise<void>;
}

export function strategyOf(run: RunningRebuild, reports: Reports): RebuildStrategy {
  const { mode } = run.ports.record;
  if (mode === RebuildMode.InPlace) return new InPlaceRebuild(run, reports);
  if (mode === RebuildMode.SelectedStreams) return new StreamsRebuild(run);
  return new BlueGreenRebuild(run, reports);
}
