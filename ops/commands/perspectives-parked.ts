import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { listParked, releaseParked, type ParkedRowDetails } from '../../runtime/perspectives/parked-rows.js';
import type { Config } from '../config.js';
import { recordCliAction } from '../cli-operator.js';
import { findPerspective, listPerspectives, unknownPerspective } from '../perspective-list.js';

interface ParkedArguments {
  readonly name: string;
  /** The rows to fold again; without it they are only listed. */
  readonly release?: readonly string[] | 'all' | undefined;
  readonly reason?: string | undefined;
}

interface Shown {
  readonly data: object;
  readonly text: string;
}

/** Lists the parked rows of a perspective, or releases them to be folded again. */
export async function parkedRows(
  database: Database,
  config: Config,
  { name, release, reason }: ParkedArguments,
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
  let released = 0;
  for (const key of release === 'all' ? [undefined] : release) {
    const count = await releaseParked(database, found.table, key);
    if (count === 0 && key !== undefined)
      throw new Problem('not-found', { detail: `${name} has no parked row '${key}'.` });
    released += count;
  }
  const target = release === 'all' ? name : `${name} ${release.join(' ')}`;
  if (released > 0)
    await recordCliAction(database, config, { action: 'perspectives release', target, reason });
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
