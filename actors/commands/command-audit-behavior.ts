import type { AuditContext, SystemEventEmitter } from '../../contracts/system-event-emitter.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { Behavior } from '../../contracts/receptor.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import { receptorNameOf } from '../../runtime/audit/build-audit-events.js';

/** Stages CommandAudited after the response exists: only a handled command is audited. */
export class CommandAuditBehavior implements Behavior {
  readonly auditsCommands = true;

  constructor(
    private readonly emitter: SystemEventEmitter,
    private readonly options: SystemEventOptions,
  ) {}

  async handle<TResult>(
    command: Command,
    next: () => Promise<TResult>,
    context: AuditContext = {},
  ): Promise<TResult> {
    const response = await next();
    if (!this.options.commandAuditEnabled) return response;
    if (this.emitter.shouldExcludeFromAudit(command.constructor as MessageClass)) return response;
    const receptorName = receptorNameOf(command, context.metadata);
    await this.emitter.emitCommandAudited(command, response, receptorName, context);
    return response;
  }
}
