import type { StoreStatus } from '../../runtime/store/store-status.js';

export type ShownStatus = StoreStatus & { readonly durability: string };

export function statusText(status: ShownStatus): string {
  const { id, epoch, timeline, head, durability, replication, losses, boundTo, heldOrigins } = status;
  const { move: moving } = status;
  const { standbys, hasSynchronousStandby } = replication;
  const lines = [
    ['store', id],
    ['epoch', `${epoch}, timeline ${timeline}`],
    ['head', String(head)],
    // Hosts have a setting of their own, which the store does not record.
    ['durability', `${durability}, as set for this command`],
    ['standbys', `${standbys}, commits ${hasSynchronousStandby ? 'wait for one' : 'do not wait'}`],
    ['lost', losses.length === 0 ? 'nothing known' : losses.map(lossText).join('; ')],
    [
      'bound to',
      `database ${boundTo.database} of cluster ${boundTo.cluster ?? 'unknown'}${boundTo.isHere ? '' : ': this is a copy'}`,
    ],
    ...(heldOrigins.length === 0 ? [] : [['held', heldOrigins.map(heldText).join('; ')]]),
    ...(moving === undefined ? [] : [['move', `${moving.state}, ${moving.other}`]]),
  ];
  return lines.map(([name = '', text = '']) => `${name.padEnd(12)}${text}`).join('\n');
}

const heldText = ({ store: origin, epoch, fork, heldTo }: StoreStatus['heldOrigins'][number]): string =>
  `${origin} went back to ${fork} (epoch ${epoch}), received up to ${heldTo}`;

const lossText = ({ epoch, fork, lostTo, witness, isAccepted }: StoreStatus['losses'][number]): string =>
  `${fork + 1}-${lostTo} (epoch ${epoch}, seen by ${witness ?? 'nobody'}${isAccepted ? '' : ', not accepted: nothing is written'})`;
