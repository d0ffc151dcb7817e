import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { alone } from '../database/alone.js';
import type { Database } from '../database/database.js';
import { escapeIdentifier } from '../database/pg-exports.js';
import { failpoint } from '../lang/failpoint.js';
import { verifySegments } from '../segments/verify-segments.js';
import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import { mustBeMovable, mustHaveIdentities } from './check-source.js';
import { copiedTables } from './copied-tables.js';
import { type MoveEnds, withMoveEnds } from './move-ends.js';
import { matchTarget, prepareTarget } from './prepare-target.js';
import { isReplicating, replicate, unpublish, unsubscribe, untilCaughtUp } from './replication.js';
import { startReplication } from './start-replication.js';
import { switchOver } from './switch-over.js';

export interface Moved {
  readonly store: string;
  /** Host, port and name of its database. */
  readonly to: string;
}

export interface MovePorts {
  /** Who acts on the store of a database. */
  readonly by: (database: Database) => Promise<ActingOperator>;
  readonly progress: (what: string, done: number, total: number) => void;
}

/** Moves the store of one database to another server. What is interrupted is continued by the same call, or by `resumeMove`. */
export const moveStore = (sourceUrl: string, targetUrl: string, ports: MovePorts): Promise<Moved> =>
  withMoveEnds(sourceUrl, targetUrl, (ends) =>
    aloneAtBoth(ends, async () => {
      await begin(ends, ports);
      failpoint('move-begun');
      return continueMove(ends, ports);
    }),
  );

/** Another store may be moved to the same target. */
export const aloneAtBoth = <T>({ source, target }: MoveEnds, body: () => Promise<T>): Promise<T> =>
  alone(source.database, 'move', () => alone(target.database, 'move', body));

/** A move that has begun goes to the target that it began with. */
async function begin(ends: MoveEnds, { by }: MovePorts): Promise<void> {
  const { source, target } = ends;
  const [[state, other] = []] = await source.database.rows({ text: 'SELECT state, other FROM svc_move' });
  if (state === 'joining')
    throw new Problem('usage', {
      detail: `The store of ${other ?? ''} is being moved to this database: run svc store move where it is.`,
    });
  if (state !== undefined && other === target.address) return;
  if (state !== undefined)
    throw new Problem('usage', {
      detail:
        state === 'moved'
          ? `The store has moved to ${other ?? ''}.`
          : `A move to ${other ?? ''} has begun: run svc store move resume or abort.`,
    });
  await mustBeMovable(ends);
  await recordedAction(source.database, await by(source.database), 'store move', async (session) => {
    await session.rows({
      text: "INSERT INTO svc_move(state, other, url) VALUES ('copying', $1, $2)",
      values: [target.address, target.url],
    });
    return { result: undefined, targets: [target.address] };
  });
}

export async function continueMove(ends: MoveEnds, ports: MovePorts): Promise<Moved> {
  const { source, target } = ends;
  const copy = async (which: string): Promise<void> => {
    await matchTarget(ends);
    await mustHaveIdentities(source);
    const tables = await copiedTables(source.database, which === 'sealed segments' ? 'sealed' : 'all');
    await replicate(ends, tables, (done, total) => ports.progress(which, done, total));
  };
  if ((await stateOf(source.database)) !== 'moved') {
    if (!(await isReplicating(ends))) {
      await prepareTarget(ends);
      failpoint('move-prepared');
      await startReplication(ends);
    }
    failpoint('move-subscribed');
    await copy('sealed segments');
    failpoint('move-sealed');
    await copy('tables');
    failpoint('move-copied');
    if (!(await hasArrived(target.database, ports))) {
      // One that was sealed meanwhile may not have been copied.
      await copy('tables');
      if (!(await hasArrived(target.database, ports))) throw damaged();
    }
    await analyze(target.database, ports);
    await alone(source.database, 'migrate', () => untilSwitched(ends, () => copy('tables')));
  }
  return finish(ends);
}

/** One by one: the statistics of a large database take longer than a statement may. */
async function analyze(target: Database, { progress }: MovePorts): Promise<void> {
  const tables = ['svc_events', 'svc_system_events', ...(await copiedTables(target))];
  for (const [done, table] of tables.entries()) {
    progress('statistics', done, tables.length);
    await target.rows({ text: `ANALYZE ${escapeIdentifier(table)}` });
  }
}

const maxSwitches = 10;
/** Writers that have waited in vain are given time before they wait again. */
const betweenSwitchesMs = 1_000;

async function untilSwitched(ends: MoveEnds, copyAgain: () => Promise<void>): Promise<void> {
  let reason: string | undefined;
  for (let tries = 0; tries < maxSwitches; tries++) {
    await copyAgain();
    await untilCaughtUp(ends);
    reason = await switchOver(ends);
    // After a connection was lost, only the database knows.
    if (reason === undefined || (await stateOf(ends.source.database)) === 'moved') return;
    await delay(betweenSwitchesMs);
  }
  throw new Problem('store-unavailable', {
    detail: `The store could not be switched over: ${reason ?? ''}. It continues at ${ends.source.address}; run svc store move resume, or abort.`,
  });
}

/** Each sealed segment has the digests that are in the chain. */
const hasArrived = async (target: Database, { progress }: MovePorts): Promise<boolean> =>
  (await verifySegments(target, (done, total) => progress('digests', done, total))).ok;

const damaged = (): Problem =>
  new Problem('invalid-setup', {
    detail:
      'A segment of the log differs from its digests in the chain: run svc segments verify, and svc store move abort.',
  });

/** The store is the target from now on; whatever is left to do can be done again. */
async function finish({ source, target }: MoveEnds): Promise<Moved> {
  const [closed] = await target.database.rows({ text: "SELECT 1 FROM svc_move WHERE state = 'joining'" });
  if (closed !== undefined) {
    // A standby that is promoted must know it, too: its answer may have been missing when it was decided.
    await source.database.rows({ text: "UPDATE svc_move SET state = 'moved'", isAcknowledged: true });
    await target.database.rows({ text: 'SELECT svc_open_moved()' });
  }
  failpoint('move-opened');
  // Those that only listen would stay.
  await source.database.rows({ text: disconnectOthers }).catch(() => undefined);
  await unsubscribe(target.database);
  failpoint('move-unsubscribed');
  await unpublish(source.database);
  failpoint('move-unpublished');
  await source.database.rows({ text: 'UPDATE svc_move SET url = NULL' });
  const [[store] = []] = await target.database.rows({ text: 'SELECT id FROM svc_store' });
  return { store: store ?? '', to: target.address };
}

/** Those of some roles only a superuser may end. */
const disconnectOthers = `DO $$
DECLARE one int;
BEGIN
  FOR one IN SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'svc-move' LOOP
    BEGIN
      PERFORM pg_terminate_backend(one);
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
  END LOOP;
END $$`;

async function stateOf(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const [[state] = []] = await database.rows({ text: 'SELECT state FROM svc_move' });
  return state ?? undefined;
}
