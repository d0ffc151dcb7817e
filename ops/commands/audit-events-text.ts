import type { EventFault, EventsReport } from '../../runtime/audit/verify-events.js';
import { onOneLine } from '../audit/audit-line.js';

/** One event that is not what its audit says. */
export function faultText(fault: EventFault): string {
  const { what, eventType, eventId, streamId, streamPosition, auditedAt, differs } = fault;
  const place = `${onOneLine(streamId)}@${streamPosition}`;
  const why = differs === undefined ? '' : ` differs in ${onOneLine(differs)},`;
  return `${what}  ${onOneLine(eventType)} ${onOneLine(eventId)} at ${place}:${why} audited at ${auditedAt}`;
}

/** All of them on one line. */
export function eventsText(report: EventsReport): string {
  const { ok, compared, altered, deleted, gaps, redacted, unaudited } = report;
  const without = Object.entries(unaudited);
  const parts = [
    ok
      ? `The events are what their audits say: ${compared} compared.`
      : `The events are not what their audits say: of ${compared} compared ${altered} were altered and ${deleted} deleted.`,
    gaps === 0 ? '' : `${gaps} positions of the log hold nothing any more.`,
    redacted === 0 ? '' : `${redacted} redacted values were not compared.`,
    without.length === 0
      ? ''
      : `Without an audit: ${without.map(([type, count]) => `${count} ${onOneLine(type)}`).join(', ')}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
