export { commandHandler, type HandlerMessage, type Ticket } from './command-handler.js';
export { type DispatcherPorts, LocalDispatcher } from './dispatcher.js';
export { outboxRelayMachine, type RelaySettings } from './outbox-relay-machine.js';
export { type OutboxRelay, startOutboxRelay } from './outbox-relay.js';
