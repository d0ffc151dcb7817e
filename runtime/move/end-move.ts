import { Problem } from '../../contracts/problems.js';
import { alone } from '../database/alone.js';
import type { Database } from '../database/database.js';
import { ownerAt } from '../database/schema-owner.js';
import { serverUrls } from '../database/server-list.js';
import { thrownMessage } from '../lang/thrown.js';
import { recordedAction } from '../store/operator-action.js';
import { addressOf, withMoveEnds } from './move-ends.js';
import { aloneAtBoth, continueMove, type Moved, type MovePorts } from './move-store.js';
import { emptyTarget } from './prepare-target.js';
import { unpublish } from './replication.js';

interface BegunMove {
  readonly sourceUrl: string;
  readonly state: string;
  readonly other: string;
  /** Null once the move has ended. */
  readonly url: string | null;
  readonly store: string;
}

/** Continues a move that was interrupted. */
export async function resumeMove(ownerUrl: string, ports: MovePorts): Promise<Moved> {
  const { sourceUrl, url, store, other } = await begunMove(ownerUrl);
  if (url === null) return { store, to: other };
  return withMoveEnds(sourceUrl, url, (ends) => aloneAtBoth(ends, () => continueMove(ends, ports)));
}

export interface Aborted {
  readonly store: string;
  /** What was left. */
  readonly target: string;
  /** Why the target could not be emptied. */
  readonly failure?: string;
}

/** Ends a move that has not switched over; the store stays where it is. */
export async function abortMove(ownerUrl: string, { by }: MovePorts): Promise<Aborted> {
  const { sourceUrl, store } = await begunMove(ownerUrl);
  return ownerOf(sourceUrl).asOwner((source) =>
    alone(source, 'move', async () => {
      const { state, other, url } = await begunMove(sourceUrl);
      if (state === 'moved')
        throw new Problem('usage', {
          detail: `The store has moved to ${other}: that cannot be undone. svc store move resume does what is left to do.`,
        });
      const failure = await ownerOf(url ?? '')
        .asOwner((target) => emptyTarget(target, addressOf(sourceUrl)))
        .catch(thrownMessage);
      await unpublish(source);
      await recordedAction(source, await by(source), 'store move abort', async (session) => {
        await session.rows({ text: 'DELETE FROM svc_move' });
        return { result: undefined, targets: [other] };
      });
      return { store, target: other, ...(typeof failure === 'string' && { failure }) };
    }),
  );
}

/** What runs long needs a connection, what is recorded another one. */
const ownerOf = (url: string) => ownerAt(url, 'svc-move', 3);

async function begunMove(ownerUrl: string): Promise<BegunMove> {
  const urls = serverUrls(ownerUrl) ?? [ownerUrl];
  const asked = await Promise.all(
    urls.map((url) =>
      // Another server of the list may be down, or have no store.
      ownerOf(url)
        .asOwner((database) => moveFrom(database, url))
        .catch((error: unknown) => {
          if (urls.length === 1) throw error;
        }),
    ),
  );
  const begun = asked.find((each) => each !== undefined);
  if (begun !== undefined) return begun;
  throw new Problem('usage', { detail: 'No move has begun; svc store move --to URL begins one.' });
}

async function moveFrom(database: Pick<Database, 'rows'>, sourceUrl: string): Promise<BegunMove | undefined> {
  const [[hasStore] = []] = await database.rows({ text: "SELECT to_regclass('svc_move') IS NOT NULL" });
  if (hasStore !== 't') return undefined;
  const [row] = await database.rows({
    text: "SELECT m.state, m.other, m.url, s.id FROM svc_move m, svc_store s WHERE m.state <> 'joining'",
  });
  if (row === undefined) return undefined;
  const [state, other, url, store] = row;
  return { sourceUrl, state: state ?? '', other: other ?? '', url: url ?? null, store: store ?? '' };
}
