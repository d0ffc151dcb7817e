export { CommandAuditBehavior } from './commands/command-audit-behavior.js';
export type { QueuedCommand } from './commands/waiting-commands.js';
export { commandHandler, type HandlerMessage } from './commands/command-handler.js';
export { type DispatcherPorts, LocalDispatcher } from './commands/dispatcher.js';
export { type EmitterPorts, SystemEventEmitterActor } from './system-event-emitter.js';
export { addAmqpBrokerHealthChecks, addHealthCheck, mapHealthPaths } from './health/health-additions.js';
export { type HealthBoard, healthBoardMachine, startHealthBoard } from './health/health-board.js';
export { followerMachine } from './follow/follower-machine.js';
export { type OutboxRelay, type RelaySettings, startOutboxRelay } from './outbox/outbox-relay.js';
export { type RestartPolicy } from './supervisor/restart-policy.js';
export { checkProcess } from './processes/check-process.js';
export type { PendingTimer, Process, ProcessSnapshot } from './processes/process.js';
export { processSetup, shape } from './processes/process-setup.js';
export { addReactions } from './reactions/add-reactions.js';
export type { ReactingApplication, ReactionsOptions } from './reactions/service-reactions.js';
export { addServicePerspectives } from './perspectives/add-service-perspectives.js';
export type { PerspectivesOptions } from './perspectives/running-perspectives.js';
export { dispatcherFor, type ServiceDispatcherOptions } from './commands/create-dispatcher.js';
export { type Child, type ChildStatus, type Running } from './supervisor/child.js';
export { Supervisor } from './supervisor/supervisor.js';
export { startSubscriber, type Subscriber, type SubscriberOptions } from './subscriber/start-subscriber.js';
export {
  addSystemEventAuditing,
  addSystemEvents,
  type Configure,
  decorateEventStoreWithAuditing,
} from './add-system-events-and-auditing.js';
