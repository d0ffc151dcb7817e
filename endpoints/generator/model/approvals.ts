import { property } from './properties.js';
import {
  type CommandModel,
  inNameOrder,
  type NamedType,
  type PerspectiveModel,
  type PropertyModel,
  type ServiceModel,
  type TypeModel,
} from './service-model.js';

export const needsApproval = ({ agent }: CommandModel): boolean => agent?.approval !== undefined;

export const approvalRoute = '/approvals';

/**
 * The service as its documents and its client show it: with the approvals of the runtime, if a command declares them.
 * Their code is in the runtime, so nothing else is generated for them.
 */
export function withApprovalsOf(model: ServiceModel): ServiceModel {
  const approved = model.commands.filter(needsApproval);
  if (approved.length === 0) return model;
  const permissions = new Set(approved.map(({ agent }) => agent?.approval));
  const permission = permissions.size === 1 ? approved[0]?.agent?.approval : 'authenticated';
  return {
    ...model,
    commands: inNameOrder([...model.commands, { ...decideApproval, permission }]),
    perspectives: inNameOrder([...model.perspectives, { ...approvals, query: { ...query, permission } }]),
    types: new Map([...model.types, ...types.map((type) => [type.name, type] as const)]),
  };
}

/** Nothing of it is a file of the service. */
const file = 'svc-runtime';

const ref = (name: string): TypeModel => ({ kind: 'ref', name });
const uuid: TypeModel = { kind: 'uuid' };
const time: TypeModel = { kind: 'timestamp' };
const text: TypeModel = { kind: 'text', limits: {} };

const optional = (name: string, type: TypeModel): PropertyModel => property(name, type, undefined, false);

const undeclared = { declared: undefined, isClass: false } as const;

const object = (
  name: string,
  description: string | undefined,
  ...properties: PropertyModel[]
): NamedType => ({
  name,
  description,
  type: { kind: 'object', properties },
  ...undeclared,
});

const oneOf = (name: string, ...values: string[]): NamedType => ({
  name,
  description: undefined,
  type: { kind: 'enum', values },
  ...undeclared,
});

const types: readonly NamedType[] = [
  object(
    'Approval',
    'What an agent has asked for, and what has become of it.',
    property('approvalId', uuid),
    property('command', text, 'The name of the command.'),
    property('arguments', { kind: 'json' }, 'What is carried out if a person agrees.'),
    property('fingerprint', text, 'Of the command, its arguments and who asks; send it back to decide.'),
    property('status', ref('ApprovalStatus')),
    property('askedBy', text, 'The user, or the API key.'),
    property('agent', text, 'What the agent calls itself.'),
    property('askedAt', time),
    property('expiresAt', time),
    optional('decidedBy', text),
    optional('decidedAt', time),
    optional('note', text),
    optional('result', { kind: 'json' }),
    optional('problem', ref('ApprovalProblem')),
  ),
  object('ApprovalProblem', 'Why it was not carried out.', property('code', text), property('title', text)),
  oneOf('ApprovalStatus', 'asked', 'agreed', 'refused', 'done', 'failed', 'expired'),
  oneOf('ApprovalDecision', 'agreed', 'refused'),
  object(
    'DecideApproval',
    undefined,
    property('approvalId', uuid),
    property(
      'fingerprint',
      { kind: 'text', limits: { maxLength: 64 } },
      'That of the approval which was shown.',
    ),
    property('agree', { kind: 'boolean' }),
    property('note', { kind: 'text', limits: { maxLength: 500 } }, 'Why; the agent sees it.', false),
  ),
  object(
    'DecideApprovalResult',
    undefined,
    property('approvalId', uuid),
    property('status', ref('ApprovalDecision')),
  ),
];

const decideApproval: CommandModel = {
  name: 'DecideApproval',
  file,
  restRoute: '/approvals/decide',
  graphQLMutation: 'decideApproval',
  request: null,
  result: ref('DecideApprovalResult'),
  resultName: 'DecideApprovalResult',
  endpoint: null,
  description:
    'Agrees to what an agent has asked for, or refuses it. Only another person than the one who asks may decide.',
};

const query = {
  route: approvalRoute,
  row: ref('Approval'),
  description: 'What agents ask people to agree to.',
  columns: [
    { name: 'askedAt', type: 'timestamptz' },
    { name: 'askedBy', type: 'text' },
    { name: 'command', type: 'text' },
    { name: 'expiresAt', type: 'timestamptz' },
    { name: 'status', type: 'text' },
  ],
} as const;

const approvals: PerspectiveModel = { name: 'ApprovalsPerspective', file, parameters: [], query };

/** Reserved once a command declares an approval. */
export const approvalNames: ReadonlySet<string> = new Set([
  ...types.map(({ name }) => name),
  ...['ApprovalAsked', 'ApprovalDecided', 'ApprovalEnded', 'AskApproval', 'EndApproval', 'AskedApproval'],
  ...['decideApproval', 'approvals', 'approval'],
]);
