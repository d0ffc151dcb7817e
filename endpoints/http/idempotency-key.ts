import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

/** The `Idempotency-Key` of a request; undefined when it has none. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header);
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('invalid-header', {
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  });
}
