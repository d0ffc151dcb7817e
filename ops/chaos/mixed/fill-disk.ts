import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPair } from '../../../runtime/testing/postgres-pair.js';
import type { SmallDisk } from '../../../runtime/testing/small-disk.js';
import { holdsWithin } from '../scenarios/scenario.js';

const fullMs = 4_000;
const metWithinMs = 15_000;
const recoversWithinMs = 15_000;

/** Nothing more can be written to the disk of the primary for a while; whether the server refuses to write then. */
export async function fillDisk(pair: PostgresPair, disk: SmallDisk): Promise<boolean> {
  await disk.fill();
  try {
    const { kept } = await holdsWithin('nothing can be written', metWithinMs, () =>
      pair.admin(writing).then(
        () => false,
        () => true,
      ),
    );
    await delay(fullMs);
    return kept;
  } finally {
    await disk.free();
    const { kept } = await holdsWithin('it is written again', recoversWithinMs, async () => {
      return (await pair.admin(writing)).length > 0;
    });
    // A server that could not write its log has ended; an operator who makes space starts it again.
    if (!kept) await pair.crash();
  }
}

/** A sort that exceeds its memory writes a file. */
const writing = `SELECT count(x) FROM (SELECT repeat('x', 1000) AS x FROM generate_series(1, 20000) n ORDER BY n % 7) sorted`;
