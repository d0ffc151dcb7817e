import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { type Account, account, accounts, booked, type Booked } from './accounts-perspective.js';
import { modelOf, withPerspectiveHosts } from './perspective-hosts.js';

/** Expects that an apply which blocks its host beyond the lease is folded once, whichever host holds it then. */
export const mustComplete = (blockedMs: number): Promise<void> =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const slow = (model: Account, event: StoredEvent): Account => {
      const { amount, text } = event.payload as Booked;
      const end = Date.now() + (text === 'slow' ? blockedMs : 0);
      while (Date.now() < end);
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    };
    const settings = { leaseMs: 400, renewMs: 200 };
    const service = host([accounts({ apply: slow })], settings);
    const other = host([accounts({ apply: slow })], settings);
    const stream = account();
    const { globalPositions } = await service.eventStore.append(stream, [booked(1, 'slow'), booked(2)]);
    const patience = AbortSignal.timeout(300_000);
    const position = globalPositions.at(-1) ?? 0;
    await Promise.all([service, other].map((one) => one.caughtUp('accounts', position, patience)));
    // The other host may block this process, and with it the answer, once more.
    await untilPasses(async () => assert.equal((await modelOf<Account>(owner, stream))?.amounts, [1, 2]));
  });
