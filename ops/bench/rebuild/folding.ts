import { serveFolding } from '../../../runtime/perspectives/rebuild/fold-thread.js';
import { orderTotals } from './order-totals.js';

/** A thread that folds its part of a rebuild. */
await serveFolding([orderTotals]);
