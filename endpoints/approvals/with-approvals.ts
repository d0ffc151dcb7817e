import { type Decode, invalid } from '../../contracts/codec.js';
import type { Identity } from '../../contracts/identity.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { isUuid } from '../../contracts/scalars.js';
import { RestMutationEndpointBase } from '../mutation-endpoint.js';
import { type ApprovalHost, endpoint, type EndpointRegistration, receptor } from '../registrations.js';
import type { Registry } from '../service-definition.js';
import {
  ApprovalAsked,
  ApprovalDecided,
  ApprovalEnded,
  AskApproval,
  DecideApproval,
  EndApproval,
} from './approval-messages.js';
import { ApprovalProcess } from './approval-process.js';
import { type Approval, approvalAfter, ApprovalsPerspective } from './approvals-perspective.js';
import { type ApprovedCommand, askerName } from './approved-command.js';
import { AskApprovalReceptor, withinOf } from './ask-approval.js';
import { decodeDecideApproval, DecideApprovalReceptor } from './decide-approval.js';
import { EndApprovalReceptor } from './end-approval.js';

/** The parts of a service whose commands declare `approval`, with those of the runtime that this needs. */
export function withApprovals(dispatcher: Dispatcher, registry: Registry): Registry {
  const commands = approvedCommands(registry.endpoints);
  if (commands.size === 0) return registry;
  const permission = onePermission(commands) ?? 'authenticated';
  let host: ApprovalHost | undefined;
  const servingHost = (): ApprovalHost => host ?? notServed();
  const decide = registered(dispatcher, DecideApproval, decodeDecideApproval, 'DecideApprovalResult');
  return {
    ...registry,
    endpoints: [
      ...registry.endpoints,
      registered(dispatcher, AskApproval, notSent, 'AskedApproval'),
      { ...decide, permission, acceptsSession: true },
    ],
    receptors: [
      ...registry.receptors,
      receptor(AskApproval, new AskApprovalReceptor(commands), 'AskedApproval'),
      receptor(DecideApproval, new DecideApprovalReceptor(commands, servingHost), 'DecideApprovalResult'),
      receptor(EndApproval, new EndApprovalReceptor(commands, servingHost)),
    ],
    perspectives: [...(registry.perspectives ?? []), new ApprovalsPerspective(permission, commands)],
    processes: [...(registry.processes ?? []), new ApprovalProcess()],
    events: [...(registry.events ?? []), ...events],
    approvals: {
      events,
      serve: (by) => (host = by),
      outcomeFor: (asker, approvalId) => outcomeFor(servingHost(), asker, approvalId),
    },
  };
}

const events = [ApprovalAsked, ApprovalDecided, ApprovalEnded];

function approvedCommands(endpoints: readonly EndpointRegistration[]): ReadonlyMap<string, ApprovedCommand> {
  const approved = endpoints.flatMap((registration) => {
    const { approval: rule, command } = registration;
    if (rule === undefined) return [];
    withinOf(command.name, rule.within);
    return [[command.name, { registration, rule }] as const];
  });
  return new Map(approved);
}

/** The permission that decides about all of them; undefined if there are several. */
function onePermission(commands: ReadonlyMap<string, ApprovedCommand>) {
  const [first, ...others] = [...commands.values()].map(({ rule }) => rule.by);
  return others.every(({ value }) => value === first?.value) ? first : undefined;
}

const registered = <TCommand extends Command>(
  dispatcher: Dispatcher,
  command: MessageClass<TCommand>,
  decode: Decode<TCommand>,
  resultName: string,
): EndpointRegistration =>
  endpoint({ command, endpoint: new Dispatching<TCommand>(dispatcher), decode, resultName });

class Dispatching<TCommand extends Command> extends RestMutationEndpointBase<TCommand, unknown> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(
    command: TCommand,
    signal: AbortSignal,
    context: MutationContext,
  ): Promise<unknown> {
    return this.dispatcher.localInvoke(command, signal, context);
  }
}

/** Only the tools of agents send it. */
const notSent = (): never => invalid;

const notServed = (): never => {
  throw new Problem('draining', { detail: 'The host has not started yet.', retryAfter: 1 });
};

/** From its stream, not from the read model: an agent may ask at once. */
async function outcomeFor(
  { store }: ApprovalHost,
  asker: Identity | undefined,
  approvalId: string,
): Promise<object | undefined> {
  if (asker === undefined || !isUuid(approvalId)) return undefined;
  let row: Approval | undefined;
  for await (const event of store.read(approvalId))
    if ((event.scope?.['tenantId'] ?? undefined) === asker.scope.tenantId) row = approvalAfter(row, event);
  if (row === undefined || row.askedBy !== askerName(asker.scope)) return undefined;
  const { command, status, expiresAt, note, result, problem } = row;
  return { approvalId, command, status, expiresAt, note, result, problem };
}
