import type { Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import type { SignedHead } from './signed-head.js';

const pageRows = 1_000;

/** The signed heads of other stores that are kept here, or those of one store, by store and position. */
export async function* keptHeads(
  database: Pick<Database, 'rows'>,
  store?: Uuid,
): AsyncGenerator<readonly SignedHead[]> {
  // A store that is not migrated yet keeps none.
  const [table] = await database.rows({ text: `SELECT to_regclass('svc_signed_heads')` });
  if (table?.[0] === null) return;
  const text = `SELECT o.store, h.position, encode(h.hash, 'hex'), h.at, encode(h.public_key, 'hex'),
      encode(h.signature, 'hex'), h.origin, h.epoch, h.forks, h.published_to
    FROM svc_signed_heads h JOIN svc_origins o USING (origin)
    WHERE (h.origin, h.position) > ($1::smallint, $2::bigint) AND ($3::uuid IS NULL OR o.store = $3)
    ORDER BY h.origin, h.position LIMIT ${pageRows}`;
  for (let after: unknown[] = [0, 0]; ;) {
    const rows = await database.rows({ text, values: [...after, store ?? null] });
    if (rows.length === 0) return;
    yield rows.map(headIn);
    after = [rows.at(-1)?.[6], rows.at(-1)?.[1]];
  }
}

function headIn([
  store,
  position,
  hash,
  at,
  publicKey,
  signature,
  ,
  epoch,
  forks,
  publishedTo,
]: Row): SignedHead {
  const history = { epoch: Number(epoch), forks: forks ?? '', publishedTo: Number(publishedTo) };
  return {
    store: store ?? '',
    position: Number(position),
    hash: hash ?? '',
    at: at ?? '',
    history,
    publicKey: publicKey ?? '',
    signature: signature ?? '',
  };
}
