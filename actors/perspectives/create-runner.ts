import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import type { FoldRules } from '../../runtime/perspectives/fold.js';
import type { LogTail } from '../../runtime/perspectives/log-tail.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import { leaseDefaults, type LeaseSettings } from './hold-perspective-leases.js';
import type { RoundPorts } from './perspective-round.js';
import { PerspectiveRunner } from './perspective-runner.js';
import { runnerDefaults, type RunnerSettings } from './perspective-runner-machine.js';

interface RunnerParts extends Pick<RoundPorts, 'report'> {
  readonly service: ServiceParts;
  readonly database: Database;
  /** The owner of the leases. */
  readonly owner: Uuid;
  readonly tail: LogTail;
  readonly options: Partial<RunnerSettings & LeaseSettings>;
  /** Called when a late event makes the model doubtful. */
  requestRebuild(rules: FoldRules): void;
  askForLease(): void;
  moved(table: string, position: Long): void;
}

/** Creates the runner of one perspective over the store of its service. */
export function createRunner(rules: FoldRules, parts: RunnerParts): PerspectiveRunner {
  const { database, owner, tail, options } = parts;
  const leaseMs = options.leaseMs ?? leaseDefaults.leaseMs;
  const upcasters = parts.service.unitStore?.upcasters;
  const store = new PostgresPerspectiveStore({ ...rules, database, upcasters, owner, leaseMs, tail });
  return new PerspectiveRunner({
    ports: {
      ...rules,
      store,
      report: (message) => parts.report(message),
      emit: ({ id, message }) => parts.service.emitter.emit(message, undefined, id),
      rebuild: () => parts.requestRebuild(rules),
    },
    settings: { ...runnerDefaults, ...options },
    askForLease: () => parts.askForLease(),
    moved: (table, position) => parts.moved(table, position),
  });
}
