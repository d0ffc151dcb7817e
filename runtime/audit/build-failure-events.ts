import { CommandFailed, type ErrorSummary, HookFailed } from '../../contracts/events/error.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { shownMessage } from '../logging/hidden-error.js';
import { nowText } from '../lang/now-text.js';
import { flatScope, type RequestContext } from '../request/request-context.js';
import type { Secrets } from '../logging/secrets.js';
import { thrownMessage, thrownName } from '../lang/thrown.js';

/** Records a failed dispatch, even if the error hook recovered. */
export function buildCommandFailed(
  command: Command,
  error: unknown,
  recovered: boolean,
  context: RequestContext,
): CommandFailed {
  const scope = flatScope(context.scope);
  const receptorName = context.metadata['receptorName'];
  return new CommandFailed({
    commandType: command.constructor.name,
    receptorName: typeof receptorName === 'string' ? receptorName : undefined,
    error: summaryOf(error, context.secrets),
    recovered,
    correlationId: context.correlationId,
    causationId: context.causationId,
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    timestamp: nowText(),
  });
}

/** Records a failed hook; a 4xx problem is a response, not a failure. */
export function buildHookFailed(
  hook: string,
  endpoint: string | undefined,
  error: unknown,
  context: Partial<Pick<RequestContext, 'correlationId' | 'secrets'>> = {},
): HookFailed | undefined {
  if (error instanceof Problem && error.status >= 400 && error.status < 500) return undefined;
  return new HookFailed({
    hook,
    endpoint,
    error: summaryOf(error, context.secrets),
    correlationId: context.correlationId,
    timestamp: nowText(),
  });
}

/** Accepts anything that was thrown: some codes are numbers, and some thrown values are not errors. */
function summaryOf(error: unknown, secrets?: Secrets): ErrorSummary {
  const message = secrets === undefined ? thrownMessage(error) : shownMessage(error, secrets);
  if (!(error instanceof Error)) return { name: typeof error, message };
  const { code } = error as { readonly code?: unknown };
  return {
    name: thrownName(error),
    message,
    ...(code === undefined || code === null ? {} : { code: thrownMessage(code) }),
  };
}
