import type { Process } from '../actors/processes/process.js';
import type { DeciderRegistration } from '../contracts/decider.js';
import type { EffectRegistration } from '../contracts/effect.js';
import type { Authenticate } from '../contracts/identity.js';
import type { Command, Event, MessageClass } from '../contracts/message.js';
import type { AnyPerspective } from '../contracts/perspective.js';
import type { Reaction } from '../contracts/reaction.js';
import type { Dispatcher, ReceptorRegistration } from '../contracts/receptor.js';
import type { Schedule } from '../contracts/schedule.js';
import type { KeyWrapper, SealedMessage } from '../contracts/sealing.js';
import type { Service } from '../runtime/service/service.js';
import type { ClaimNames } from './access/jwt/claims.js';
import type { RegisteredRoute } from './own-route.js';
import type { OwnRoutes } from './route-access.js';
import type { ApprovalPort, EndpointRegistration, Redaction } from './registrations.js';
import type { WebhookSender } from './webhooks/webhook-sender.js';

/**
 * The default export of an application.
 *
 * @example
 * ```ts
 * const orders: ServiceDefinition = { name: 'orders', create: (dispatcher) => create(dispatcher) };
 * export default orders;
 * ```
 */
export interface ServiceDefinition {
  readonly name: string;
  create(dispatcher: Dispatcher): Registry;
  /** `system`: also receive the system messages of every broadcasting store, for example for a monitor of your own. */
  readonly receive?: 'domain' | 'system';
  /** Finds out who sends a request: a command, a read or a page. */
  readonly authenticate?: Authenticate;
  /** With `SVC_AUTH=jwt`: the names of the claims in a token. */
  readonly claims?: ClaimNames;
  /** More headers that hooks must not see; credentials are always left out. */
  readonly hiddenHeaders?: readonly string[];
  /**
   * Adds routes and plugins to the server of the host, before the routes of commands: the hooks of a plugin run for
   * commands, too. Each route declares `config: { permission }`. It is called for every server, and once more at
   * startup for a check.
   */
  readonly routes?: OwnRoutes;
  /** Which pages of other sites may use the service; `SVC_CORS_ORIGINS` replaces the origins. */
  readonly cors?: CorsOptions;
  /** Configures the service before it starts: hooks on system events, options. */
  configure?(service: Service): void;
  /** The folder of the service's SQL files; by default `migrations` beside its package.json or its main module. */
  readonly migrations?: URL | string;
  /**
   * The version of the application, by default that of its package.json. An older version never changes what a newer
   * one created.
   */
  readonly version?: string;
  /**
   * Called when the host stops, after the last command and the last event: close connections of your own here. The host
   * waits at most three seconds for it.
   */
  stop?(): void | Promise<void>;
  /**
   * How many turns a tenant has where commands or commits wait, from 1 to 100, for one of another tenant. It is asked
   * often: answer from memory. `SVC_TENANT_WEIGHTS` wins.
   */
  readonly weightOf?: (tenant: string) => number;
  /** Wraps the keys of subjects instead of `SVC_MASTER_KEY`, for example with a key management service. */
  readonly keyWrapper?: KeyWrapper;
  /** The command and the read that `svc check post` tries after a deployment. */
  readonly smokeTest?: SmokeTest;
}

/** Which pages of other sites may use the service. */
export interface CorsOptions {
  /** Such as `https://shop.example`; `*`: every site. */
  readonly origins: readonly string[];
  /** Whether browsers may send cookies; for an authenticator that reads them. */
  readonly credentials?: boolean;
}

/** One create and one read that show, after a deployment, that the service works. */
export interface SmokeTest {
  /** In the texts of the body, `{smokeTestId}` stands for an id that no earlier smoke test had. */
  readonly create: { readonly command: MessageClass<Command>; readonly body: object };
  /** A path to read; `{name}` stands for a field of the answer to the create. */
  readonly read: string;
}

/** The parts of an application. */
export interface Registry {
  readonly endpoints: readonly EndpointRegistration[];
  readonly receptors: readonly ReceptorRegistration[];
  readonly perspectives?: readonly AnyPerspective[];
  /** Each becomes the receptor of its commands. */
  readonly deciders?: readonly DeciderRegistration[];
  /** Each does a command by calling another system. */
  readonly effects?: readonly EffectRegistration[];
  /** What is published to the webhooks of customers. */
  readonly webhooks?: readonly WebhookSender[];
  readonly reactions?: readonly Reaction[];
  readonly processes?: readonly Process[];
  readonly schedules?: readonly Schedule[];
  /** Those that `ownRoute` declares. */
  readonly routes?: readonly RegisteredRoute[];
  readonly events?: readonly MessageClass<Event>[];
  readonly redactions?: readonly Redaction[];
  /** The events and commands with fields marked `@Sensitive({ subject })`. */
  readonly sealed?: readonly SealedMessage[];
  /** The names of the feature flags that the sources use. */
  readonly flags?: readonly string[];
  /** The OpenAPI document, as text. */
  readonly openApi?: string;
  /** The AsyncAPI document, as text. */
  readonly asyncApi?: string;
  /** The tools of agents, as text. */
  readonly tools?: string;
  /** Set by `withApprovals`. */
  readonly approvals?: ApprovalPort;
  /** The GraphQL schema, as text; empty when there is no mutation. */
  readonly schema?: string;
}
