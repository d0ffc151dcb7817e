import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import { serveFolding } from '../../runtime/perspectives/rebuild/fold-thread.js';
import { type Account, accounts } from './accounts-perspective.js';

/** Folds like `accounts`, and leaves a trace that the thread ran. */
const plain = accounts();
const marked = accounts({
  apply: (model: Account, event: StoredEvent<Event>, key: string) => {
    const next = plain.apply(model, event, key) as Account | null;
    return next === null ? null : { ...next, by: 'thread' };
  },
});

await serveFolding([marked]);
