import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import { keptHeads } from '../../runtime/trust/kept-heads.js';
import { printToStderr, printToStdout } from '../terminal/print.js';

/** Writes the signed heads of other stores, or of one, as lines of JSON. */
export async function exportKeptHeads(database: Database, store: Uuid | undefined): Promise<void> {
  let kept = 0;
  for await (const page of keptHeads(database, store)) {
    kept += page.length;
    printToStdout(page.map((head) => `${JSON.stringify(head)}\n`).join(''));
  }
  if (kept === 0)
    printToStderr(
      'No signed head is kept here; a monitor keeps those of other stores: run svc audit export --heads there.\n',
    );
}
