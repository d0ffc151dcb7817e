/** An address as it may be logged and answered: without the token that `?t=` carries. */
export const withoutToken = (url: string): string =>
  url.includes('?') ? url.replaceAll(queryToken, '$1[redacted]') : url;

// The name may be written as an escape, too.
const queryToken = /([?&](?:t|%74)=)[^&#]*/g;
