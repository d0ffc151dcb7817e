import type { Command, Envelope, Event, MessageType } from './message.js';

/** Decides what crosses the transport in either direction. */
export interface TransportPublishFilter {
  shouldPublishToTransport(message: Envelope | Event | Command): boolean;
  shouldReceiveFromTransport(type: MessageType): boolean;
}
