export type { MutationContext } from '../contracts/mutation-context.js';
export { createHttpServer, type HttpOptions, type HttpServer } from './routes/http-server.js';
export { InspectionFeed, type FeedCounts, type FeedOptions } from './inspection/inspection-feed.js';
export {
  Inspection,
  type InspectionOptions,
  type RequestSearch,
  type RequestTrace,
} from './inspection/inspection.js';
export type { RequestRecord } from './inspection/request-record.js';
export type { TraceStep } from './inspection/request-trace.js';
export {
  type EdgeAggregate,
  type LifecycleAggregate,
  type StateAggregate,
  mergeAggregates,
} from './lifecycle/lifecycle-counts.js';
export { countBelow, type Durations, quantileMs } from './lifecycle/duration-buckets.js';
export type { LifecycleEnd, Observed, Observer, Part, Visit } from '../runtime/request/observer.js';
export { type Lifecycle, lifecycleFor, type LifecycleSteps } from './lifecycle/lifecycle.js';
export {
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecyclePlan,
} from './lifecycle/lifecycle-machine.js';
export { MutationEndpointBase } from './mutation-endpoint.js';
export {
  encodeJson,
  endpoint,
  type EndpointRegistration,
  receptor,
  type Redaction,
  redaction,
} from './registrations.js';
export type { Registry, ServiceDefinition } from './service-definition.js';
export type { SmokeTest } from './smoke-test.js';
export { RestMutationEndpointBase } from './rest-endpoint.js';
export type { Webhook, WebhookEnd } from './webhooks/attempt-delivery.js';
export { type Published, published } from './webhooks/published.js';
export { type Delivery, verifyWebhook, type WebhookOptions } from './webhooks/verify-webhook.js';
export type { WebhookRequest } from './webhooks/webhook-request.js';
export {
  webhookSender,
  type WebhookNews,
  type WebhookReplay,
  type WebhookReplayPart,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhooks/webhook-sender.js';
export type { CorsOptions } from './cors-options.js';
