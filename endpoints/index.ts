export type { MutationContext } from '../contracts/mutation.js';
export { createHttpServer, type HttpOptions, type HttpServer } from './routes/server.js';
export { Feed, type FeedCounts, type FeedOptions } from './inspection/feed.js';
export {
  Inspection,
  type InspectionOptions,
  type RequestSearch,
  type RequestTrace,
} from './inspection/inspection.js';
export type { RequestSummary } from './inspection/request-summary.js';
export type { TraceStep } from './inspection/trace.js';
export {
  type EdgeAggregate,
  type LifecycleAggregate,
  type StateAggregate,
  together,
} from './lifecycle/aggregates.js';
export { countBelow, type Durations, quantileMs } from './lifecycle/durations.js';
export {
  type Inspect,
  type Lifecycle,
  type LifecycleEnd,
  lifecycleFor,
  type LifecycleSteps,
  type LifecycleWatch,
  type RequestWatch,
} from './lifecycle/lifecycle.js';
export {
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecyclePlan,
} from './lifecycle/machine.js';
export { MutationEndpointBase } from './mutation-endpoint.js';
export {
  encodeJson,
  endpoint,
  type EndpointRegistration,
  receptor,
  type Redaction,
  redaction,
  type Registry,
  type ServiceDefinition,
} from './registry.js';
export { RestMutationEndpointBase } from './rest-endpoint.js';
