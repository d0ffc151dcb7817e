import type { Timestamp } from '../../../../contracts/scalars.js';
import type { Database } from '../../../../runtime/database/database.js';
import { timestampOf } from '../../../../runtime/store/stored-rows.js';

export async function clockOf(database: Pick<Database, 'rows'>): Promise<Timestamp> {
  const [[now] = []] = await database.rows({ text: 'SELECT clock_timestamp()' });
  return timestampOf(now);
}
