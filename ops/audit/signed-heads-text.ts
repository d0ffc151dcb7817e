import type { Long } from '../../contracts/scalars.js';
import type { ChainReport } from '../../runtime/audit/verify-chain.js';
import type { ComparedHeads } from './compare-signed-heads.js';
import { onOneLine } from './format-record.js';

/** The place whose heads deny the log at the lowest position. */
export const deniedIn = (heads: readonly ComparedHeads[]): ComparedHeads | undefined =>
  heads
    .filter(({ denied }) => denied !== undefined)
    .toSorted((a, b) => (a.denied?.position ?? 0) - (b.denied?.position ?? 0))[0];

/** Where a log that is intact by itself begins to be another one than was signed, as far as heads show. */
export function firstDenied(
  chain: ChainReport,
  heads: readonly ComparedHeads[],
): { readonly firstBroken: Long } | undefined {
  const denied = deniedIn(heads)?.denied;
  if (denied === undefined) return undefined;
  return { firstBroken: denied.record === 'missing' ? chain.head.position + 1 : denied.position };
}

export function deniedText({ denied, source }: ComparedHeads): string {
  if (denied === undefined) return '';
  const { position, at, record } = denied;
  const what =
    record === 'missing'
      ? 'is missing: the end of the log was cut off'
      : 'has another hash: the log was written again, or replaced by another one';
  return `The log denies a head that its store signed at ${at} (${placeOf(source)}): record ${position} ${what}.`;
}

interface HowCompared {
  /** Records of another store: nothing outside this store is needed to judge them. */
  readonly isReceived: boolean;
  /** Whether a head was given by hand. */
  readonly isCompared: boolean;
}

/** Which heads were used, and from when. */
export function headsLines(
  heads: readonly ComparedHeads[],
  { isReceived, isCompared }: HowCompared,
): string[] {
  const lines = heads.flatMap((compared) => [
    ...(compared.failure === undefined
      ? []
      : [`The broker could not be asked for signed heads: ${onOneLine(compared.failure)}.`]),
    ...(compared.agreeing === 0 ? [] : [agreeingText(compared)]),
    ...(compared.refused === 0 ? [] : [refusedText(compared)]),
  ]);
  const isProven = isCompared || heads.some(({ agreeing }) => agreeing > 0);
  return isProven ? lines : [...lines, isReceived ? noneKept : noneOutside];
}

const agreeingText = ({ agreeing, since = '', until = '', upTo = 0, source }: ComparedHeads): string =>
  `It agrees with ${agreeing} signed ${agreeing === 1 ? 'head' : 'heads'} ${placeOf(source)}, signed from ${since} to ${until}, up to record ${upTo}.`;

const refusedText = ({ refused, source }: ComparedHeads): string =>
  `${refused} heads ${placeOf(source)} have the name of the store and were not signed with its key: they are forged, or its key was replaced.`;

const placeOf = (source: string): string =>
  source === 'nats' ? 'at the broker' : source === 'kept' ? 'kept here' : `in ${onOneLine(source)}`;

const noneOutside =
  'No signed head outside this store was found: the records agree with each other, but if its end was cut off, or all of it written again, that does not show; hosts with NATS_URL and SVC_BROADCAST=1 publish heads: then run this with NATS_URL, or with --against a file of svc audit export --heads.';
const noneKept =
  'No signed head of that store is kept here: the records agree with each other, but nothing proves that its store wrote them; its hosts sent none yet with SVC_BROADCAST=1.';
