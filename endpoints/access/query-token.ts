/** A URL for logs and answers: without the value of its `?t=` token. */
export const withoutToken = (url: string): string =>
  url.includes('?') ? url.replaceAll(queryToken, '$1[redacted]') : url;

// The parameter name may be percent-encoded.
const queryToken = /([?&](?:t|%74)=)[^&#]*/g;
