import { isRefusal } from '../../actors/steps/step-errors.js';
import { decodeBody } from '../../contracts/codec.js';
import type { Event } from '../../contracts/message.js';
import { type Identity, identityFrom } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Json } from '../../contracts/scalars.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { RequestContext, runOf } from '../../runtime/request/request-context.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import { resultOf } from '../problem.js';
import type { ApprovalHost, EndpointRegistration } from '../registrations.js';
import { type ApprovalDecided, ApprovalEnded, type Asker, type EndApproval } from './approval-messages.js';
import { type ApprovalHistory, type ApprovedCommand, fingerprintOf, historyOf } from './approved-command.js';

/** Carries out what a person has agreed to, once, as a request of the asker; it runs as a step of the process. */
export class EndApprovalReceptor implements Receptor<EndApproval, void> {
  constructor(
    private readonly commands: ReadonlyMap<string, ApprovedCommand>,
    private readonly host: () => ApprovalHost,
  ) {}

  async handle({ approvalId, agreed }: EndApproval, work: UnitOfWork): Promise<void> {
    const history = await historyOf(approvalId, work);
    const { decided, hasEnded } = history;
    // What a person has decided meanwhile reaches the process, which sends this again.
    if (hasEnded || decided?.agree === false || (decided !== undefined && !agreed)) return;
    const ended =
      decided === undefined
        ? ApprovalEnded.of({ approvalId, outcome: 'expired' })
        : await this.#carriedOut(history, decided, work.context.messageId);
    if (ended !== undefined) work.append(approvalId, ended);
  }

  /** How it has ended, unless the commit of the command says so; what fails is tried again by the process. */
  async #carriedOut(
    history: ApprovalHistory,
    decided: ApprovalDecided,
    causationId: string,
  ): Promise<Event | undefined> {
    const { approvalId } = decided;
    try {
      return await this.#run(history, decided, causationId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, title } = error;
      return ApprovalEnded.of({ approvalId, outcome: 'failed', problem: { code, title } });
    }
  }

  async #run(
    { asked: { payload, correlationId }, position }: ApprovalHistory,
    { fingerprint, by }: ApprovalDecided,
    causationId: string,
  ): Promise<Event | undefined> {
    const { command, arguments: args, asker, agent, approvalId } = payload;
    const { registration } = this.commands.get(command) ?? {};
    // Only what was shown is carried out, whatever the log holds by now.
    if (registration === undefined || fingerprintOf(command, args, asker) !== fingerprint)
      throw new Problem('approval-changed');
    const host = this.host();
    const identity = await this.#identityOf(asker, registration, host);
    const sent = decodeBody(registration.decode, args);
    const cancellation = Cancellation.of(undefined, host.deadlineMs);
    const { scope } = identity;
    const context = new RequestContext({
      transport: 'mcp',
      cancellation,
      correlationId,
      causationId,
      caller: { identity, headers: {}, guard: host.accessGuard },
      scope: { ...scope, extensions: { ...scope.extensions, agreedBy: by } },
    });
    context.metadata['by'] = agent;
    const done = (result: unknown): Event => {
      const text = registration.encode(result);
      const returned = text === null ? {} : { result: JSON.parse(text) as Json };
      return ApprovalEnded.of({ approvalId, outcome: 'done', ...returned });
    };
    const run = runOf(context);
    // One commit carries it out and ends the approval: whenever this runs again, it has happened or it has not.
    run.alsoAppends = (work, result) =>
      void work.append(approvalId, done(result), { expectedPosition: position });
    try {
      const end = await lifecycleOf(registration.endpoint).run(registration.takes, sent, context);
      failpoint('approval-carried-out');
      // Also when its after-hook failed: that is reported, and changes nothing.
      return run.committed === undefined ? done(resultOf(end, context)) : undefined;
    } finally {
      cancellation.end();
    }
  }

  /** What the asker may do by now. */
  async #identityOf(
    { permissions, ...said }: Asker,
    { command: { name: type }, permission = 'authenticated' }: EndpointRegistration,
    { accessGuard, rightsOf }: ApprovalHost,
  ): Promise<Identity> {
    const identity = await rightsOf(identityFrom({ ...said, permissions }));
    if (accessGuard === undefined || identity === undefined) throw new Problem('approval-needs-identity');
    const refusal = accessGuard.refusalOf(identity, permission, { type });
    if (refusal !== undefined) throw refusal;
    return identity;
  }
}
