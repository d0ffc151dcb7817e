import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database, Session } from './database.js';

/**
 * A proxy that pools transactions gives the connection of one session to another, whatever startup options it passes:
 * locks, notifications and prepared statements would end up elsewhere. So a second session must not see what one has set.
 */
export async function mustKeepSessions(database: Pick<Database, 'session'>): Promise<void> {
  const one = await database.session();
  try {
    if (await keeps(one, database)) return;
  } finally {
    const isLost = await one.rows({ text: setMark, values: [''] }).then(
      () => false,
      () => true,
    );
    one.release(isLost);
  }
  throw new Problem('invalid-setup', {
    detail:
      'A proxy in front of PostgreSQL pools transactions: sessions share its connections. Connect to the server itself, or through a proxy that passes connections on as they are, such as HAProxy.',
  });
}

async function keeps(one: Session, database: Pick<Database, 'session'>): Promise<boolean> {
  const mark = newUuid();
  const other = await database.session();
  try {
    const [mine] = await one.rows({ text: setMark, values: [mark] });
    const [theirs] = await other.rows({ text: readMark });
    const [again] = await one.rows({ text: readMark });
    return mine?.[0] === again?.[0] && theirs?.[0] !== mark;
  } finally {
    other.release();
  }
}

const setMark = "SELECT set_config('svc.session', $1, false)";
const readMark = "SELECT current_setting('svc.session', true)";
