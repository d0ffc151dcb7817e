import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { readReplicationState, type ReplicationState } from '../database/replication-state.js';

/** Acknowledged events from `fork` + 1 to `lostTo` that the store lost when the epoch began. */
interface KnownLoss {
  readonly epoch: number;
  readonly fork: Long;
  readonly lostTo: Long;
  /** The host that had seen the last of them. */
  readonly witness: string | null;
  readonly isAccepted: boolean;
}

export interface StoreStatus {
  readonly id: Uuid;
  readonly epoch: number;
  readonly timeline: string;
  readonly head: Long;
  /** The database that its id is bound to, and whether it is this one. */
  readonly boundTo: { readonly cluster: string | null; readonly database: number; readonly isHere: boolean };
  readonly replication: ReplicationState;
  readonly losses: readonly KnownLoss[];
  readonly heldOrigins: readonly HeldOrigin[];
  /** Set while the store moves, and where it has moved away. */
  readonly move?: { readonly state: string; readonly other: string };
}

/** A store that went back in time: its messages wait as dead letters. */
interface HeldOrigin {
  readonly store: Uuid;
  readonly epoch: number;
  readonly fork: Long;
  /** The newest position of it that was received. */
  readonly heldTo: Long;
}

const maxLosses = 20;

const statusText = `SELECT s.id, e.epoch, e.timeline, svc_head(), s.cluster, s.database_oid, svc_store_is_bound()
  FROM svc_store s, (SELECT epoch, timeline FROM svc_epochs ORDER BY epoch DESC LIMIT 1) e`;

const lossesText = `SELECT epoch, fork, lost_to, witness, coalesce(lost_to <= accepted_to, false) FROM svc_epochs
  WHERE lost_to IS NOT NULL ORDER BY epoch DESC LIMIT ${maxLosses}`;

export async function readStoreStatus(database: Pick<Database, 'rows'>): Promise<StoreStatus> {
  const [[id, epoch, timeline, head, cluster, oid, isHere] = []] = await database.rows({ text: statusText });
  const [move] = await database.rows({ text: 'SELECT state, other FROM svc_move' });
  return {
    id: id ?? '',
    epoch: Number(epoch),
    timeline: timeline ?? '',
    head: Number(head),
    boundTo: { cluster: cluster ?? null, database: Number(oid), isHere: isHere === 't' },
    replication: await readReplicationState(database),
    losses: (await database.rows({ text: lossesText })).map(lossOf),
    heldOrigins: (await database.rows({ text: heldText })).map(heldOf),
    ...(move !== undefined && { move: { state: move[0] ?? '', other: move[1] ?? '' } }),
  };
}

const heldText = `SELECT store, held_epoch, held_fork, seen_to FROM svc_origins
  WHERE held_epoch IS NOT NULL ORDER BY origin LIMIT 100`;

const heldOf = ([store, epoch, fork, heldTo]: Row): HeldOrigin => ({
  store: store ?? '',
  epoch: Number(epoch),
  fork: Number(fork),
  heldTo: Number(heldTo),
});

/** What came of it beyond the fork stays; its messages are received again. */
export async function releaseOrigin(database: Pick<Database, 'rows'>, store: Uuid): Promise<void> {
  const [row] = await database.rows({ text: 'SELECT svc_release_origin($1)', values: [store] });
  if (row?.[0] !== 't')
    throw new Problem('usage', {
      detail: `No store ${store} is held; svc store status lists those that are.`,
    });
}

const lossOf = ([epoch, fork, lostTo, witness, isAccepted]: Row): KnownLoss => ({
  epoch: Number(epoch),
  fork: Number(fork),
  lostTo: Number(lostTo),
  witness: witness ?? null,
  isAccepted: isAccepted === 't',
});

type AcceptedLoss = Pick<KnownLoss, 'epoch' | 'fork' | 'lostTo'>;

/** From now on hosts write again, to the history that is there. */
export async function acceptLoss(database: Pick<Database, 'rows'>): Promise<readonly AcceptedLoss[]> {
  const rows = await database.rows({ text: 'SELECT * FROM svc_accept_loss() ORDER BY epoch' });
  if (rows.length > 0) return rows.map(lossOf).map(({ epoch, fork, lostTo }) => ({ epoch, fork, lostTo }));
  throw new Problem('usage', {
    detail: 'No loss waits to be accepted; svc store status shows the history of the store.',
  });
}
