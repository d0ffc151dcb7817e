import { Problem } from '../../contracts/problems.js';
import { isLong, type Long } from '../../contracts/scalars.js';
import type { InboundMessage } from '../../contracts/transport.js';

/** The history of its store that a message belongs to. */
export interface MessageEpoch {
  readonly epoch: number;
  /** The last positions before the epochs up to this one: `2:150 3:200`. */
  readonly forks: string;
}

const maxEpochs = 8;

/** SQL: the last epochs of our store, as they are sent. */
export const lastEpochs = `(SELECT string_agg(e.epoch || ':' || e.fork, ' ' ORDER BY e.epoch)
    FROM (SELECT epoch, fork FROM svc_epochs ORDER BY epoch DESC LIMIT ${maxEpochs}) e)`;

/** `epochs` are the last ones of the store, as `epoch:fork`, oldest first. */
export function epochAt(position: Long, epochs: string): MessageEpoch {
  const all = epochs.split(' ').map((text) => text.split(':').map(Number));
  const before = all.filter(([, fork = 0]) => fork < position);
  const forks = before.filter(([epoch = 1]) => epoch > 1).map((pair) => pair.join(':'));
  return { epoch: before.at(-1)?.[0] ?? Math.max(1, (all[0]?.[0] ?? 1) - 1), forks: forks.join(' ') };
}

/** Of a message as it arrived; undefined if it states none. Throws a Problem for anything else. */
export function epochOf(message: Pick<InboundMessage, 'header'>): MessageEpoch | undefined {
  const epoch = message.header('svc-epoch');
  const forks = message.header('svc-forks') ?? '';
  if (epoch === undefined) return undefined;
  if (isEpoch.test(epoch) && areForks(forks)) return { epoch: Number(epoch), forks };
  throw new Problem('invalid-message', { detail: 'The headers svc-epoch and svc-forks are not valid.' });
}

/** Of anything that claims to be one. */
export function isMessageEpoch(value: unknown): value is MessageEpoch {
  const { epoch, forks } = (value ?? {}) as Partial<MessageEpoch>;
  return isLong(epoch) && isEpoch.test(String(epoch)) && typeof forks === 'string' && areForks(forks);
}

const maxForksLength = maxEpochs * 26;
const isEpoch = /^[1-9]\d{0,8}$/;
const forksPattern = /^[1-9]\d{0,8}:\d{1,15}(?: [1-9]\d{0,8}:\d{1,15}){0,7}$/;
const areForks = (text: string): boolean =>
  text === '' || (text.length <= maxForksLength && forksPattern.test(text));
