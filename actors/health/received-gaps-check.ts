import type { HealthCheck } from '../../contracts/health.js';
import type { ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import { degradedBy } from './healthy-or-degraded.js';

const periodMs = 30_000;
const maxNamedStores = 5;

/** Whether everything that other stores sent has arrived, as far as this store can know. */
export const receivedGapsCheck = (
  gaps: () => Promise<readonly ReceivedGap[]>,
  losses: () => readonly string[],
): HealthCheck => ({
  name: 'received',
  tags: ['transport', 'subscriptions'],
  periodMs,
  check: async () => {
    // That the database does not answer is for its own check to report.
    const found = await gaps().catch(() => undefined);
    if (found === undefined) return degradedBy(['The missing records could not be counted.']);
    const others =
      found.length > maxNamedStores ? [`${found.length - maxNamedStores} more stores have gaps.`] : [];
    return degradedBy([...found.slice(0, maxNamedStores).flatMap(gapText), ...others, ...losses()]);
  },
});

const gapText = ({ store, missing, differs, heads, heldFork }: ReceivedGap): string[] => [
  ...(missing > 0
    ? [
        `${missing} system records of store ${store} were not received: run svc outbox republish there to send them again.`,
      ]
    : []),
  ...(differs
    ? [
        `The chain of store ${store} differs from what was received: svc audit verify --origin ${store} shows where.`,
      ]
    : []),
  ...(heads === undefined ? [] : [headText[heads](store)]),
  ...(heldFork === undefined
    ? []
    : [
        `Store ${store} went back to position ${heldFork}, and this store holds later events of it: its messages wait as dead letters; see svc store status.`,
      ]),
];

const headText = {
  contradicts: (store: string): string =>
    `Store ${store} signed a head that contradicts an earlier one: its log went back or was rewritten; run svc audit export --heads > FILE here and svc audit verify --against FILE there.`,
  forged: (store: string): string =>
    `Heads that store ${store} did not sign arrived under its name: check who may publish svc.system.ChainHead.`,
};
