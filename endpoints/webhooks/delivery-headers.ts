import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

interface DeliveryHeaders extends Record<string, string> {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The headers of a signed delivery, in a form that can be checked. */
export function deliveryHeadersIn(headers: IncomingHttpHeaders): DeliveryHeaders {
  return {
    'webhook-id': checked(headers, 'webhook-id', /^[\x21-\x7e]{1,255}$/),
    'webhook-timestamp': checked(headers, 'webhook-timestamp', /^\d{1,12}$/),
    'webhook-signature': checked(headers, 'webhook-signature', /^[\x20-\x7e]{1,4096}$/),
  };
}

function checked(headers: IncomingHttpHeaders, name: string, form: RegExp): string {
  const text = headers[name];
  if (typeof text === 'string' && form.test(text)) return text;
  throw new Problem('invalid-header', {
    detail: text === undefined ? `Send the header ${name}.` : `The header ${name} is not valid.`,
  });
}
