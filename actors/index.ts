export { CommandAuditBehavior } from './command-audit.js';
export { commandHandler, type HandlerMessage, type Ticket } from './command-handler.js';
export { type DispatcherPorts, LocalDispatcher } from './dispatcher.js';
export { type EmitterPorts, SystemEventEmitterActor } from './emitter.js';
export { addAmqpBrokerHealthChecks, addHealthCheck, mapHealthPaths } from './health/additions.js';
export { type HealthBoard, healthBoardMachine, startHealthBoard } from './health/board.js';
export { outboxRelayMachine, type RelaySettings } from './outbox-relay-machine.js';
export { type OutboxRelay, startOutboxRelay } from './outbox-relay.js';
export { type RestartPolicy } from './restart-policy.js';
export { addServicePerspectives, type PerspectivesOptions } from './perspectives.js';
export { dispatcherFor, type ServiceDispatcherOptions } from './service-dispatcher.js';
export { type Child, type Running } from './supervised-child.js';
export { type ChildStatus, Supervisor } from './supervisor.js';
export { startSubscriber, type Subscriber, type SubscriberOptions } from './subscriber.js';
export { subscriberMachine } from './subscriber-machine.js';
export {
  addSystemEventAuditing,
  addSystemEvents,
  type Configure,
  decorateEventStoreWithAuditing,
} from './system-events.js';
