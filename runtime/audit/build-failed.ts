import { CommandFailed, HookFailed } from '../../contracts/events/error.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { flatScope, type RequestContext } from '../request-context.js';

/** A dispatch failed, even if the error-hook knew what to do about it. */
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
    error: asError(error),
    recovered,
    correlationId: context.correlationId,
    causationId: context.causationId,
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    timestamp: new Date().toISOString(),
  });
}

/** A hook failed for a reason of its own: a 4xx problem is an answer, not a failure. */
export function buildHookFailed(
  hook: string,
  endpoint: string | undefined,
  error: unknown,
  correlationId: string | undefined,
): HookFailed | undefined {
  if (error instanceof Problem && error.status >= 400 && error.status < 500) return undefined;
  return new HookFailed({
    hook,
    endpoint,
    error: asError(error),
    correlationId,
    timestamp: new Date().toISOString(),
  });
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Problem('unexpected', { detail: String(error) });
