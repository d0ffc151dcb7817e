/** A duration in its shortest readable form. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms < 1) return `${Math.max(0, Math.round(ms * 1000))} µs`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** With thousands separators; large numbers are abbreviated. */
export const count = (value: number): string => (value < 100_000 ? whole : short).format(value);

/** `1 request`, `1,012 requests`. */
export const counted = (value: number, what: string): string =>
  `${count(value)} ${what}${value === 1 ? '' : 's'}`;

/** A rate: below ten with one digit, so that a slow host does not look idle. */
export const perSecond = (rate: number): string =>
  rate > 0 && rate < 9.95 ? rate.toFixed(1).replace('.0', '') : count(Math.round(rate));

/** The local time to the millisecond; with the date when it is another day, or when asked for. */
export function clock(iso: string, form: 'short' | 'dated' = 'short', now: number = Date.now()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const time = `${at.toLocaleTimeString('en-GB')}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  const isToday = at.toDateString() === new Date(now).toDateString();
  return form === 'short' && isToday ? time : `${at.toLocaleDateString('sv-SE')} ${time}`;
}

/** How long ago, in whole seconds: an age is never exact. */
export const ago = (iso: string | undefined, now: number): string =>
  iso === undefined || Number.isNaN(Date.parse(iso)) ? '' : wholeSeconds(now - Date.parse(iso));

export const wholeSeconds = (ms: number): string =>
  ms < 59_500 ? `${Math.max(1, Math.round(ms / 1000))} s` : duration(ms);

/** A key may be as long as a page. */
export const shortKey = (key: string): string => (key.length > 60 ? `${key.slice(0, 59)}…` : key);

/** The end of an id: UUIDs created at the same time begin alike. */
export const shortId = (id: string): string => (id.length > 16 ? `…${id.slice(-8)}` : id);

/** JSON on several lines; one that was cut stays as it is. */
export function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
