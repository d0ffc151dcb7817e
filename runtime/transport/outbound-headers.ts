import type { OutboundMessage } from '../../contracts/transport.js';

/** Message metadata outside of the body. */
export function outboundHeaders(
  { id, envelope, epoch }: OutboundMessage,
  service?: string,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'Nats-Msg-Id': id };
  if (envelope.traceparent !== undefined) headers['traceparent'] = envelope.traceparent;
  if (envelope.tracestate !== undefined) headers['tracestate'] = envelope.tracestate;
  if (envelope.store !== undefined) headers['svc-store'] = envelope.store;
  if (envelope.host !== undefined) headers['svc-host'] = envelope.host;
  if (service !== undefined && isHeaderValue(service)) headers['svc-service'] = service;
  if (envelope.correlationId !== undefined) headers['svc-correlation-id'] = envelope.correlationId;
  if (epoch !== undefined) {
    headers['svc-epoch'] = String(epoch.epoch);
    headers['svc-position'] = String(envelope.globalPosition);
    if (epoch.forks !== '') headers['svc-forks'] = epoch.forks;
  }
  return headers;
}

/** A broker rejects a message with any other. */
const isHeaderValue = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);
