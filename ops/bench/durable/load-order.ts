import type { RequestTemplate } from './system.js';

/** What a load generator sends: as many requests as this, but none after so many seconds. */
export interface Order {
  readonly port: number;
  readonly request: RequestTemplate;
  readonly connections: number;
  readonly count: number;
  readonly seconds: number;
  /** Timers are due evenly within this, in milliseconds since 1970. */
  readonly due: { readonly from: number; readonly ms: number };
}

/** The text of a request; `nth` of all decides when its timer is due. */
export function textOf({ request, count, due }: Order, nth: number, key: string, now: number): string {
  const dueAt = Math.round(due.from + (due.ms * nth) / count);
  const filled = (text: string): string =>
    text
      .replaceAll('{key}', key)
      .replaceAll('{now}', String(now))
      .replaceAll('{due}', String(dueAt))
      .replaceAll('{delay}', String(Math.max(0, dueAt - now)));
  const body = filled(request.body);
  return [
    `POST ${filled(request.path)} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
