import { isRefusal } from '../../actors/steps/step-errors.js';
import { decodeBody } from '../../contracts/codec.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { type Identity, identityFrom } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Json } from '../../contracts/scalars.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { answerOnce, idempotencyOf, resultIn } from '../idempotency.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import type { ApprovalHost, EndpointRegistration } from '../registrations.js';
import {
  type ApprovalAsked,
  type ApprovalDecided,
  ApprovalEnded,
  type Asker,
  type EndApproval,
} from './approval-messages.js';
import { type ApprovedCommand, fingerprintOf, historyOf } from './approved-command.js';

type Ending = Pick<ApprovalEnded, 'outcome' | 'result' | 'problem'>;

/** Carries out what a person has agreed to, once, as a request of the asker; it runs as a step of the process. */
export class EndApprovalReceptor implements Receptor<EndApproval, void> {
  constructor(
    private readonly commands: ReadonlyMap<string, ApprovedCommand>,
    private readonly host: () => ApprovalHost,
  ) {}

  async handle({ approvalId, agreed }: EndApproval, work: UnitOfWork): Promise<void> {
    const { asked, decided, hasEnded } = await historyOf(approvalId, work);
    // What a person has decided meanwhile reaches the process, which sends this again.
    if (hasEnded || decided?.agree === false || (decided !== undefined && !agreed)) return;
    const ending =
      decided === undefined ? ({ outcome: 'expired' } as const) : await this.#run(asked, decided, work);
    work.append(approvalId, ApprovalEnded.of({ approvalId, ...ending }));
  }

  /** A refusal is how it has ended; what fails otherwise is tried again by the process. */
  async #run(asked: StoredEvent<ApprovalAsked>, decided: ApprovalDecided, work: UnitOfWork): Promise<Ending> {
    try {
      const result = await this.#carriedOut(asked, decided, work);
      failpoint('approval-carried-out');
      return { outcome: 'done', ...(result === undefined ? {} : { result: result as Json }) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, title } = error;
      return { outcome: 'failed', problem: { code, title } };
    }
  }

  async #carriedOut(
    { payload, correlationId }: StoredEvent<ApprovalAsked>,
    { fingerprint, by }: ApprovalDecided,
    { context: { messageId: causationId } }: UnitOfWork,
  ): Promise<unknown> {
    const { command, arguments: args, asker, agent, approvalId } = payload;
    const { registration } = this.commands.get(command) ?? {};
    // Only what was shown is carried out, whatever the log holds by now.
    if (registration === undefined || fingerprintOf(command, args, asker) !== fingerprint)
      throw new Problem('approval-changed');
    const host = this.host();
    const identity = await this.#identityOf(asker, registration, host);
    const caller = { identity, headers: {}, guard: host.accessGuard };
    const sent = decodeBody(registration.decode, args);
    const key = `approval ${approvalId}`;
    const idempotency = idempotencyOf({ of: registration, key, sent: args, caller });
    const cancellation = Cancellation.of(undefined, host.deadlineMs);
    const { scope } = identity;
    const context = new RequestContext({
      transport: 'mcp',
      ...{ cancellation, correlationId, causationId, caller, idempotency },
      scope: { ...scope, extensions: { ...scope.extensions, agreedBy: by } },
    });
    context.metadata['by'] = agent;
    const run = () => lifecycleOf(registration.endpoint).run(registration.takes, sent, context);
    try {
      return resultIn(await answerOnce(host, { context, idempotency, instance: '/mcp', run }));
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
