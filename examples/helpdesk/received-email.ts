import { Problem } from 'svc-runtime';
import { OpenTicket } from './open-ticket.js';

/** What the e-mail provider reports. */
interface ReceivedEmail {
  readonly from: string;
  /** `support@<tenant>.example` */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The e-mail in a delivery; undefined for other reports, such as bounces. */
function emailIn(payload: unknown): ReceivedEmail | undefined {
  const { type, data } = payload as { readonly type?: unknown; readonly data?: Partial<ReceivedEmail> };
  if (type !== 'email.received') return undefined;
  const { from, to, subject, text } = data ?? {};
  if ([from, to, subject, text].some((member) => typeof member !== 'string'))
    throw new Problem('malformed-request', { detail: 'An e-mail has from, to, subject and text.' });
  return data as ReceivedEmail;
}

/** The command is not decoded from JSON, so that its constraints are kept here. */
export function ticketFrom(payload: unknown): OpenTicket | undefined {
  const email = emailIn(payload);
  if (email === undefined || tenantIn(email.to) === undefined) return undefined;
  const subject = email.subject.trim().slice(0, 200) || 'Without a subject';
  return OpenTicket.of({ subject, text: email.text.slice(0, 10_000) });
}

/** Whose ticket it is: of the customer who wrote, at the tenant who was written to. */
export function scopeFrom(payload: unknown): { readonly tenantId?: string; readonly userId?: string } {
  const email = emailIn(payload);
  const tenantId = email && tenantIn(email.to);
  return email === undefined || tenantId === undefined ? {} : { tenantId, userId: email.from.toLowerCase() };
}

const tenantIn = (address: string): string | undefined =>
  /^support@([a-z0-9-]{1,60})\.example$/i.exec(address)?.[1]?.toLowerCase();
