import { boolean, type Decode, invalid, object, optional, own, text, uuid } from '../../contracts/codec.js';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { ApprovalHost } from '../registrations.js';
import { ApprovalDecided, DecideApproval, type DecideApprovalResult } from './approval-messages.js';
import { type ApprovedCommand, historyOf, isSame } from './approved-command.js';

/** Records what a person decides: one who may, who did not ask, and about what they were shown. */
export class DecideApprovalReceptor implements Receptor<DecideApproval, DecideApprovalResult> {
  readonly retryOnConflict = 3;

  constructor(
    private readonly commands: ReadonlyMap<string, ApprovedCommand>,
    private readonly host: () => Pick<ApprovalHost, 'accessGuard'>,
  ) {}

  async handle(decision: DecideApproval, work: UnitOfWork): Promise<DecideApprovalResult> {
    const { approvalId, fingerprint, agree, note } = decision;
    const { identity } = work.context;
    const by = identity?.scope.userId;
    if (identity === undefined || by === undefined)
      throw new Problem('approval-needs-identity', {
        detail: 'Sign in as a person; a token or a key without a user cannot decide.',
      });
    const { asked, decided, hasEnded } = await historyOf(approvalId, work);
    const { command, asker, expiresAt, fingerprint: shown } = asked.payload;
    this.#mustBePermitted(identity, command, approvalId, work);
    if (isSame(asker.scope, identity)) throw new Problem('approval-needs-another-person');
    if (decided !== undefined || hasEnded || Date.now() >= Date.parse(expiresAt))
      throw new Problem('approval-closed');
    if (fingerprint !== shown)
      throw new Problem('approval-changed', {
        detail: 'Read the approval again, and decide about what it shows.',
      });
    const said = { approvalId, fingerprint, agree, by, ...(note === undefined ? {} : { note }) };
    work.append(approvalId, ApprovalDecided.of(said));
    return { approvalId, status: agree ? 'agreed' : 'refused' };
  }

  #mustBePermitted(identity: Identity, command: string, id: string, { context }: UnitOfWork): void {
    const { rule } = this.commands.get(command) ?? {};
    if (rule === undefined)
      throw new Problem('approval-closed', { detail: `${command} needs no approval any more.` });
    const refusal = this.host().accessGuard?.refusalOf(
      identity,
      rule.by,
      { type: command, id },
      undefined,
      context,
    );
    if (refusal !== undefined) throw refusal;
  }
}

const fields: ReadonlySet<string> = new Set(['approvalId', 'fingerprint', 'agree', 'note']);
const longestNote = 500;

export const decodeDecideApproval: Decode<DecideApproval> = (value, path, faults) => {
  const from = object(value, path, faults, fields);
  if (from === undefined) return invalid;
  const note = optional(own(from, 'note'), `${path}/note`, faults, (given, at, all) =>
    text(given, at, all, { maxLength: longestNote }),
  );
  return DecideApproval.of({
    approvalId: uuid(own(from, 'approvalId'), `${path}/approvalId`, faults),
    fingerprint: text(own(from, 'fingerprint'), `${path}/fingerprint`, faults, { maxLength: 64 }),
    agree: boolean(own(from, 'agree'), `${path}/agree`, faults),
    ...(note === undefined ? {} : { note }),
  });
};
