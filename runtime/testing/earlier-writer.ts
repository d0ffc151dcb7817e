import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { sha256 } from '../sha256.js';
import { bytes } from '../store/binary-arrays.js';
import type { EncodedUnit } from '../store/encode-unit.js';
import { flushParameters } from '../store/flush-call.js';

/** How many results each procedure returns. */
const results = { svc_commit: 3, svc_commit_v2: 4 } as const;

/** Commits a unit as a host of an earlier version does, which sends its own digest of each record. */
export async function commitAsBefore(
  database: Pick<Database, 'rows'>,
  procedure: keyof typeof results,
  unit: EncodedUnit,
): Promise<void> {
  const parameters = flushParameters(newUuid(), 1, 'before', [unit]);
  const digests = bytes(unit.records.map(({ type, data }) => sha256(type + data)));
  const values = [...parameters.slice(0, -1), digests, ...parameters.slice(-1)];
  const placeholders = values.map((_, index) => `$${index + 1}`);
  const empty = Array.from({ length: results[procedure] }, () => 'NULL');
  await database.rows({ text: `CALL ${procedure}(${[...placeholders, ...empty].join(', ')})`, values });
}
