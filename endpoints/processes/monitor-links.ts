import type { Process } from '../../actors/processes/process.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { typeNameOf } from '../../contracts/message.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
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
    const events: readonly StagedEvent[] = runOf(context).unit?.events ?? [];
    const links = new Set<string>();
    for (const event of events)
      for (const process of byEvent.get(event.envelope.messageType) ?? []) {
        const link = linkTo(process, event);
        if (link !== undefined && textOf(links).length + link.length <= mostLinkLength) links.add(link);
        if (links.size === mostLinks) return textOf(links);
      }
    return links.size === 0 ? undefined : textOf(links);
  };
}

const mostLinks = 8;
/** Clients and proxies refuse heads that are much longer. */
const mostLinkLength = 4_096;

const textOf = (links: ReadonlySet<string>): string => [...links].join(', ');

/** What cannot be a part of a path is not linked; a key that is wrong is the problem of the process, not of the command. */
function linkTo(process: VisibleProcess, event: StagedEvent): string | undefined {
  try {
    const key = process.key(asStored(event));
    return /^\.{0,2}$/.test(key) ? undefined : `<${process.route}/${encodeURIComponent(key)}>; rel="monitor"`;
  } catch {
    return undefined;
  }
}

function asStored({
  envelope,
  streamId,
  position = 0,
  globalPosition = 0,
  ...times
}: StagedEvent): StoredEvent {
  const recordedAt = times.recordedAt ?? envelope.timestamp;
  const occurredAt = times.occurredAt ?? recordedAt;
  return { ...envelope, streamId, streamPosition: position, globalPosition, occurredAt, recordedAt };
}
