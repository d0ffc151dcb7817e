import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import { keptHeads } from '../../runtime/trust/kept-heads.js';
import { printToStdout } from '../print.js';

/** Writes the signed heads of other stores, or of one, as lines of JSON. */
export async function exportKeptHeads(database: Database, store: Uuid | undefined): Promise<void> {
  for await (const page of keptHeads(database, store))
    printToStdout(page.map((head) => `${JSON.stringify(head)}\n`).join(''));
}
