import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from './database.js';

/**
 * A proxy that pools transactions gives the connection of one session to another, whatever startup options it passes:
 * locks, notifications and prepared statements would end up elsewhere. So a second session must not see what one has set.
 */
export async function mustKeepSessions(database: Pick<Database, 'session'>): Promise<void> {
  const [one, other] = [await database.session(), await database.session()];
  const mark = newUuid();
  try {
    const [mine] = await one.rows({ text: setMark, values: [mark] });
    const [theirs] = await other.rows({ text: readMark });
    const [again] = await one.rows({ text: readMark });
    if (mine?.[0] === again?.[0] && theirs?.[0] !== mark) return;
  } finally {
    await one.rows({ text: setMark, values: [''] }).catch(() => undefined);
    one.release();
    other.release();
  }
  throw new Problem('invalid-setup', {
    detail:
      'A proxy in front of PostgreSQL pools transactions: sessions share its connections. Connect to the server itself, or through a proxy that passes connections on as they are, such as HAProxy.',
  });
}

const setMark = "SELECT set_config('svc.session', $1, false)";
const readMark = "SELECT current_setting('svc.session', true)";
