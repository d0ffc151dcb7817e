import type { Process } from '../../actors/processes/process.js';
import { typeNameOf } from '../../contracts/message.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import { asIfStored } from '../../runtime/envelope/staged-event.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';
import { isVisible, type VisibleProcess } from './process-reads.js';

/** The `Link` of an answer: the instances that the events of its command start, where callers may wait for them. */
type MonitorLinks = (context: RequestContext) => string | undefined;

/** Undefined when no process of the service can be seen. */
export function monitorLinks(processes: readonly Process[] = []): MonitorLinks | undefined {
  const byEvent = new Map<string, VisibleProcess[]>();
  for (const process of processes)
    if (isVisible(process) && process.origin !== 'others')
      for (const type of process.starts.map(typeNameOf))
        byEvent.set(type, [...(byEvent.get(type) ?? []), process]);
  if (byEvent.size === 0) return undefined;
  return (context) => {
    const links: string[] = [];
    let length = 0;
    for (const event of runOf(context).unit?.events ?? [])
      for (const process of byEvent.get(event.envelope.messageType) ?? []) {
        const link = linkTo(process, event);
        if (link === undefined || links.includes(link) || length + link.length > mostLinkLength) continue;
        length += links.push(link) === mostLinks ? Infinity : link.length + separator.length;
      }
    return links.length === 0 ? undefined : links.join(separator);
  };
}

const mostLinks = 8;
/** Clients and proxies refuse heads that are much longer. */
const mostLinkLength = 4_096;

const separator = ', ';

/** What cannot be a part of a path is not linked; a key that is wrong is the problem of the process, not of the command. */
function linkTo(process: VisibleProcess, event: StagedEvent): string | undefined {
  try {
    const key = process.key(asIfStored(event));
    if (/^\.{0,2}$/.test(key)) return undefined;
    return `<${encodeURI(process.route)}/${encodeURIComponent(key)}>; rel="monitor"`;
  } catch {
    return undefined;
  }
}
