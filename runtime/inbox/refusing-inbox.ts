import type { Inbox } from './inbox.js';

/** What `mayWrite` refuses by throwing is not received: the broker keeps it, and it is tried again. */
export const refusingInbox = (inbox: Inbox, mayWrite: () => void): Inbox => ({
  ...inbox,
  noteEpochs: async (groups) => {
    mayWrite();
    return inbox.noteEpochs(groups);
  },
  storeEvents: async (events, leaseMs) => {
    mayWrite();
    return inbox.storeEvents(events, leaseMs);
  },
  storeRecords: async (records, leaseMs) => {
    mayWrite();
    return inbox.storeRecords(records, leaseMs);
  },
});
