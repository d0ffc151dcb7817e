import type { IncomingHttpHeaders } from 'node:http';

export const graphqlResponse = 'application/graphql-response+json';
export const json = 'application/json';
export const html = 'text/html';
export const eventStream = 'text/event-stream';

type MediaType = typeof graphqlResponse | typeof json | typeof html | typeof eventStream;

const maxRanges = 100;

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** The offer that the client prefers, the first one without a preference; undefined when none is acceptable. */
export function preferred<T extends MediaType>(
  { accept }: IncomingHttpHeaders,
  offers: readonly [T, ...T[]],
): T | undefined {
  if (accept === undefined || accept === '*/*' || accept === '') return offers[0];
  if (accept === offers[0]) return offers[0];
  const ranges = accept.split(',', maxRanges).map(rangeOf);
  // `application/json;q=0, *\/*` accepts anything but JSON.
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ type }) => type));
  const acceptable = offers.filter((offer) => !refused.has(offer));
  let best: { readonly offer: T; readonly quality: number } | undefined;
  for (const { type, quality } of ranges) {
    if (quality <= (best?.quality ?? 0)) continue;
    const offer = acceptable.find((candidate) => matches(type, candidate));
    if (offer !== undefined) best = { offer, quality };
  }
  return best?.offer;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  return { type, quality: isUtf8 && quality >= 0 && quality <= 1 ? quality : 0 };
}

const matches = (range: string, offer: string): boolean =>
  range === '*/*' || range === offer || (range.endsWith('/*') && offer.startsWith(range.slice(0, -1)));
