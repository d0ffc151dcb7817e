import { isPermitted, type RequiredPermission } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Caller } from '../../runtime/request/request-context.js';
import { RateBuckets } from '../access/rate-buckets.js';
import { AskApproval } from '../approvals/approval-messages.js';
import type { PerspectiveReads } from '../graphql/perspective-reads.js';
import type { ApprovalPort, EndpointRegistration } from '../registrations.js';
import type { ToolDocument, ToolEntry } from './tool-entry.js';

/** A tool with what it runs. */
export type AgentTool = {
  readonly document: ToolDocument;
  readonly permission: RequiredPermission;
  /** The command or the perspective, in security events. */
  readonly resource: string;
} & (
  | {
      readonly does: 'command';
      readonly registration: EndpointRegistration;
      readonly calls: RateBuckets;
      /** Set when a person must agree first: what asks them. */
      readonly asking?: EndpointRegistration;
    }
  | { readonly does: 'outcome'; readonly approvals: ApprovalPort }
  | { readonly does: 'list' | 'one'; readonly reads: PerspectiveReads }
);

/** What tools may run. */
interface Running {
  readonly endpoints: readonly EndpointRegistration[];
  readonly reads: readonly PerspectiveReads[];
  readonly approvals: ApprovalPort | undefined;
}

/** The tools of a service, of which each caller sees those that they may use. */
export class AgentTools {
  readonly #tools: ReadonlyMap<string, AgentTool>;

  constructor(text: string, running: Running) {
    const entries = JSON.parse(text) as readonly ToolEntry[];
    this.#tools = new Map(entries.map((entry) => [entry.tool.name, toolOf(entry, running)]));
  }

  visibleTo(caller: Caller | undefined): readonly ToolDocument[] {
    const usable = [...this.#tools.values()].filter((tool) => mayUse(caller, tool));
    const asks = usable.some(asksPeople);
    return usable.filter(({ does }) => asks || does !== 'outcome').map(({ document }) => document);
  }

  find(name: string): AgentTool | undefined {
    return this.#tools.get(name);
  }
}

/** Whether a list shows it; a call is decided by the guard, which records that. */
function mayUse(caller: Caller | undefined, tool: AgentTool): boolean {
  const identity = caller?.identity;
  const { permission } = tool;
  // Without authentication nobody is known who could agree.
  if (caller?.guard === undefined) return !asksPeople(tool);
  return identity !== undefined && (typeof permission === 'string' || isPermitted(identity, permission));
}

const asksPeople = (tool: AgentTool): boolean => tool.does === 'command' && tool.asking !== undefined;

function toolOf(entry: ToolEntry, { endpoints, reads: all, approvals }: Running): AgentTool {
  const { tool: document } = entry;
  const found = <T>(part: T | undefined): T => part ?? outdated(document.name);
  if ('command' in entry) {
    const { command: resource, perMinute: limit } = entry;
    const registration = found(endpoints.find(({ command }) => command.name === resource));
    const { permission = 'authenticated' } = registration;
    const calls = new RateBuckets({ limit, windowSeconds: 60 });
    const tool = { does: 'command', document, permission, resource, registration, calls } as const;
    if (entry.approval === undefined) return tool;
    return { ...tool, asking: found(endpoints.find(({ command }) => command === AskApproval)) };
  }
  if ('approvals' in entry) {
    const [permission, resource] = ['authenticated' as const, AskApproval.name];
    return { does: 'outcome', document, permission, resource, approvals: found(approvals) };
  }
  const reads = found(all.find(({ names }) => names.list === entry.list || names.one === entry.one));
  const { permission, name: resource } = reads;
  return { does: entry.list === undefined ? 'one' : 'list', document, permission, resource, reads };
}

function outdated(name: string): never {
  throw new Problem('invalid-setup', {
    detail: `The tool '${name}' is of an earlier version of the sources; run svc generate.`,
  });
}
