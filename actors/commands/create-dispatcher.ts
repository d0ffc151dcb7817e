import type { FlagSource } from '../../contracts/flags.js';
import type { ModelReader } from '../../contracts/model-query.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { ReservationKey } from '../../contracts/unit-lists.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { buildCommandFailed, buildHookFailed } from '../../runtime/audit/build-failure-events.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import type { Observer } from '../../runtime/request/observer.js';
import { flatScope, type RequestContext, runOf } from '../../runtime/request/request-context.js';
import type { WeightOf } from '../../runtime/lang/tenant-weights.js';
import type { UnitStaging } from '../../runtime/unit/unit-of-work.js';
import type { Service } from '../../runtime/service/service.js';
import type { WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import type { CommandGuard } from './command-handler.js';
import { type DispatcherPorts, LocalDispatcher } from './dispatcher.js';

export interface ServiceDispatcherOptions {
  readonly store: UnitStore;
  readonly deadlineMs?: number;
  readonly guard?: CommandGuard | undefined;
  readonly accessGuard?: AccessGuard | undefined;
  readonly flags?: FlagSource | undefined;
  readonly weightOf?: WeightOf | undefined;
  /** The rows that receptors may read. */
  readonly models?: ModelReader | undefined;
  readonly webhooks?: WebhookHost | undefined;
  /** Default: the key of the store. */
  readonly reservationKey?: ReservationKey | undefined;
  readonly observer?: Observer;
  /** The effect that does a command. */
  readonly effectOf?: UnitStaging['effectOf'];
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
}

/** A dispatcher whose units of work include the service's audit and system events. */
export const dispatcherFor = (service: Service, options: ServiceDispatcherOptions): LocalDispatcher =>
  new LocalDispatcher(dispatcherPorts(service, options));

/** The ports that a dispatcher of this service starts with. */
export function dispatcherPorts(
  { parts }: Service,
  { store, deadlineMs, models, reservationKey, effectOf, report, ...shared }: ServiceDispatcherOptions,
): DispatcherPorts {
  const hideSecrets = (command: Command, context: RequestContext): void => {
    const { name } = command.constructor;
    if (parts.policy.isSensitive(name)) runOf(context).hide(() => parts.policy.secretsIn(name, command));
  };
  return {
    ...shared,
    store,
    behaviors: parts.behaviors,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    staging: {
      auditor: parts.auditing,
      models,
      webhooks: shared.webhooks,
      ...(effectOf === undefined ? {} : { effectOf }),
      reservationKey: reservationKey ?? store.reservationKey,
      system: (event, context) => {
        if (!parts.systemEventsRegistered || !parts.options.isEnabled(event.constructor as MessageClass))
          return undefined;
        const { correlationId, traceparent, messageId } = context;
        const origin = {
          correlationId,
          traceparent,
          causationId: messageId,
          scope: flatScope(context.scope),
        };
        return systemRecord(event, origin, parts.policy);
      },
    },
    committed: (records) => parts.hooks.committed(records),
    onFailure: (command, error, context) => {
      hideSecrets(command, context);
      report(buildCommandFailed(command, error, false, context));
    },
    onDeferredFailure: (error, context, command) => {
      hideSecrets(command, context);
      const failed = buildHookFailed('defer', undefined, error, context);
      if (failed !== undefined) report(failed);
    },
  };
}
