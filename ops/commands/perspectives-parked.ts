import type { ActingOperator } from '../../runtime/store/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import { releaseAsOperator } from '../../runtime/perspectives/operate.js';
import { listParked, type ParkedRowDetails } from '../../runtime/perspectives/parked/parked-rows.js';
import { findPerspective, listPerspectives, unknownPerspective } from '../service/perspective-list.js';

interface ParkedArguments {
  readonly name: string;
  /** The rows to fold again; without it they are only listed. */
  readonly release?: readonly string[] | 'all' | undefined;
}

interface Shown {
  readonly data: object;
  readonly text: string;
}

/** Lists the parked rows of a perspective, or releases them to be folded again. */
export async function parkedRows(
  database: Database,
  by: ActingOperator,
  { name, release }: ParkedArguments,
): Promise<Shown> {
  const found = await findPerspective(database, name);
  if (found === undefined)
    throw unknownPerspective(
      name,
      (await listPerspectives(database)).map((one) => one.name),
    );
  if (release === undefined) {
    const rows = await listParked(database, found.table);
    return { data: rows, text: listText(name, rows) };
  }
  const keys = release === 'all' ? undefined : release;
  const released = await releaseAsOperator({ database, ...by }, found, keys);
  const rows = released === 1 ? '1 row' : `${released} rows`;
  const who = found.isRun ? 'its host will fold' : 'the next host that runs it will fold';
  return { data: { released }, text: `${rows} of ${name} released; ${who} the missed events.` };
}

const listText = (name: string, rows: readonly ParkedRowDetails[]): string =>
  rows.length === 0
    ? `${name} has no parked rows.`
    : rows
        .map(
          ({ key, position, eventId, eventType, error, attempts, since, released, waitsFor }) =>
            `${key}  at ${position} ${eventType} ${eventId}, ${attempts} attempts, since ${since}${released ? ', released' : ''}${waitsFor === undefined ? '' : `, waiting for ${waitsFor} earlier events of its stream that have not been received`}\n  ${printable(error)}`,
        )
        .join('\n');

/** An error may contain control characters that a terminal would obey. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');
