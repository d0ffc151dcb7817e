import { OperatorActed } from '../../contracts/events/operator.js';
import { StoreTrusted } from '../../contracts/events/store-trusted.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import { type AccessEditor, recordedChange } from '../access/recorded-change.js';
import type { Database, Row, Session } from '../database/database.js';
import { nowText } from '../lang/now-text.js';

/** Another store, as this one sees it. */
export interface ListedStore {
  readonly storeId: Uuid;
  /** `waiting`: for an operator; its messages are passed over. */
  readonly state: 'trusted' | 'waiting' | 'forgotten';
  /** The operator who trusted it; undefined: pinned on first use. */
  readonly trustedBy?: string;
  /** Hexadecimal. */
  readonly publicKey?: string;
  /** Its messages are signed one by one. */
  readonly signs: boolean;
  /** Of its system stream. */
  readonly records: number;
  /** Records that were not received between the first and the last announced one. */
  readonly missing: number;
  /** Records that no signed head covers yet. */
  readonly unconfirmed: number;
  /** Records that were thrown away: no signed head covers them. */
  readonly dropped: number;
  /** The last announced position of its chain. */
  readonly head?: Long;
  readonly lastSeen?: Timestamp;
  /** The messages that were passed over while it waits. */
  readonly passedOver: number;
}

const listText = `SELECT store, state, trusted_by, encode(public_key, 'hex'), signs, coalesce(records, 0),
    coalesce(greatest(last_position, head_position) - first_position + 1 - records, 0), head_position,
    svc_iso_time(greatest(last_seen, head_at), 'MS'), 0 AS passed_over,
    (SELECT count(*) FROM svc_unconfirmed_records u WHERE u.origin = o.origin), dropped_records
  FROM svc_origins o WHERE origin <> 0
  UNION ALL SELECT store, 'waiting', NULL, NULL, false, 0, 0, NULL, svc_iso_time(last_seen, 'MS'), messages, 0, 0 FROM svc_waiting_stores
  ORDER BY 2 DESC, 1`;

/** Every known or waiting store, the waiting ones first. */
export const listStores = async (database: Pick<Database, 'rows'>): Promise<readonly ListedStore[]> =>
  (await database.rows({ text: listText })).map(storeIn);

function storeIn([
  store,
  state,
  by,
  key,
  signs,
  records,
  missing,
  head,
  lastSeen,
  passedOver,
  unconfirmed,
  dropped,
]: Row): ListedStore {
  return {
    storeId: store ?? '',
    state: state === 'waiting' || state === 'forgotten' ? state : 'trusted',
    ...(typeof by === 'string' ? { trustedBy: by } : {}),
    ...(typeof key === 'string' ? { publicKey: key } : {}),
    signs: signs === 't',
    records: Number(records),
    missing: Math.max(0, Number(missing)),
    ...(typeof head === 'string' ? { head: Number(head) } : {}),
    ...(typeof lastSeen === 'string' ? { lastSeen } : {}),
    unconfirmed: Number(unconfirmed),
    dropped: Number(dropped),
    passedOver: Number(passedOver),
  };
}

interface Decision {
  readonly reason: string;
  /** The 32 bytes of its public key, if the operator knows it. */
  readonly publicKey?: Buffer | undefined;
}

/** Trusts a store, known or not, and records who decided so; false: it was trusted already. */
export const trustStore = (
  database: Database,
  editor: AccessEditor,
  storeId: Uuid,
  { reason, publicKey }: Decision,
): Promise<boolean> =>
  recordedChange(database, editor, async (session) => {
    await mustBeOther(session, storeId);
    const { changedBy: actor } = editor;
    const [[changed] = []] = await session.rows({
      text: 'SELECT svc_trust_store($1, $2, $3)',
      values: [storeId, publicKey, actor],
    });
    if (changed !== 't') return [];
    const [[key] = []] = await session.rows({
      text: `SELECT encode(public_key, 'hex') FROM svc_origins WHERE store = $1`,
      values: [storeId],
    });
    const timestamp = nowText();
    return [
      new StoreTrusted({ storeId, publicKey: key ?? undefined, how: 'operator', actor, reason, timestamp }),
    ];
  });

/** Takes nothing more from a store, and forgets its key; false: it was not known, or forgotten already. */
export const forgetStore = (
  database: Database,
  editor: AccessEditor,
  storeId: Uuid,
  { reason }: Pick<Decision, 'reason'>,
): Promise<boolean> =>
  recordedChange(database, editor, async (session) => {
    await mustBeOther(session, storeId);
    const { changedBy: actor } = editor;
    const [[changed] = []] = await session.rows({
      text: 'SELECT svc_forget_store($1, $2)',
      values: [storeId, actor],
    });
    const acted = { action: 'stores forget', target: storeId, actor, reason, timestamp: nowText() };
    return changed === 't' ? [new OperatorActed(acted)] : [];
  });

async function mustBeOther(session: Session, storeId: Uuid): Promise<void> {
  const [[own] = []] = await session.rows({ text: 'SELECT id FROM svc_store' });
  if (own !== storeId) return;
  throw new Problem('invalid-query', { detail: 'This is the store itself: only other stores are trusted.' });
}
