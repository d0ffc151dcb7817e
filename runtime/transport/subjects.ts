import { AuditTopic } from '../../contracts/audit.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';

interface Addressed {
  readonly messageType: string;
  readonly streamId?: string | undefined;
}

/** The subject of a stored message; must agree with the function `svc_destination` in the database. */
export function destinationOf({ messageType, streamId }: Addressed): string {
  if (streamId !== SystemEventStreams.streamId) return `svc.events.${messageType}`;
  const isAudit = messageType === 'EventAudited' || messageType === 'CommandAudited';
  return isAudit ? AuditTopic : `svc.system.${messageType}`;
}

/** In a pattern, `*` matches one token and a final `>` one or more. */
export function subjectMatches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const given = subject.split('.');
  const tail = wanted.at(-1) === '>';
  const fixed = tail ? wanted.slice(0, -1) : wanted;
  const long = tail ? given.length > fixed.length : given.length === fixed.length;
  return long && fixed.every((token, index) => token === '*' || token === given[index]);
}
