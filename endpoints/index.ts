export type { MutationContext } from '../contracts/mutation-context.js';
export { createHttpServer, type HttpOptions, type HttpServer } from './routes/http-server.js';
export { Inspection } from './inspection/inspection.js';
export type { RequestRecord } from './inspection/request-recorder.js';
export type { LifecycleEnd, Observed, Observer, Part, Visit } from '../runtime/request/observer.js';
export { lifecycleMachine } from './lifecycle/lifecycle-machine.js';
export { MutationEndpointBase, RestMutationEndpointBase } from './mutation-endpoint.js';
export {
  encodeJson,
  endpoint,
  type EndpointRegistration,
  receptor,
  type Redaction,
  redaction,
} from './registrations.js';
export { withApprovals } from './approvals/with-approvals.js';
export { type OwnRoute, ownRoute, type RegisteredRoute, registeredRoute } from './own-route.js';
export type { CorsOptions, Registry, ServiceDefinition, SmokeTest } from './service-definition.js';
export { type Delivery, verifyWebhook, type WebhookOptions } from './webhooks/verify-webhook.js';
export type { Webhook, WebhookEnd, WebhookRequest } from './webhooks/attempt-delivery.js';
export { type Published, published } from './webhooks/published.js';
export {
  webhookSender,
  type WebhookNews,
  type WebhookReplay,
  type WebhookReplayPart,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhooks/webhook-sender.js';
