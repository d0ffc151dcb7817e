import { cursorNames } from '../../actors/reactions/running-reactions.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';

const shopCursors = [
  ...cursorNames('process', 'order-fulfilment'),
  ...cursorNames('reaction', 'remind-of-payment'),
];

/** A reaction starts at the head of the log: what happened before its cursors were taken is not its own. */
export const untilShopReacts = (databaseUrl: string): Promise<number> =>
  until(async () => {
    const taken = new Set((await rowsOf(databaseUrl, 'SELECT name FROM svc_progress')).flat());
    return shopCursors.every(({ cursor }) => taken.has(cursor));
  });
