import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { asSaid } from '../../runtime/access/known-roles.js';
import { millisecondsOf } from '../../runtime/timers/duration.js';
import { type AskApproval, ApprovalAsked, type AskedApproval, type Asker } from './approval-messages.js';
import { type ApprovedCommand, askerName, fingerprintOf } from './approved-command.js';

/** Keeps what an agent asks for until a person has decided. */
export class AskApprovalReceptor implements Receptor<AskApproval, AskedApproval> {
  constructor(private readonly commands: ReadonlyMap<string, ApprovedCommand>) {}

  handle({ command, arguments: args, agent }: AskApproval, work: UnitOfWork): AskedApproval {
    const { identity } = work.context;
    const { rule } = this.commands.get(command) ?? {};
    if (identity === undefined || rule === undefined || askerName(identity.scope) === undefined)
      throw new Problem('approval-needs-identity');
    const { source, scope, roles, permissions, displayName } = asSaid(identity);
    const asker: Asker = {
      source,
      scope,
      roles,
      permissions: permissions.map(({ value }) => value),
      ...(displayName === undefined ? {} : { displayName }),
    };
    const withinMs = withinOf(command, rule.within);
    const approvalId = newUuid();
    const expiresAt = new Date(Date.now() + withinMs).toISOString();
    const fingerprint = fingerprintOf(command, args, asker);
    const asked = { approvalId, command, arguments: args, fingerprint, asker, agent, expiresAt, withinMs };
    work.append(approvalId, ApprovalAsked.of(asked), { expectedPosition: 0 });
    return { approvalId, expiresAt };
  }
}

export const withinOf = (command: string, within = 'P1D'): number =>
  millisecondsOf(within, `${command}: within`, 'invalid-setup');
