import { isPermitted, type RequiredPermission } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Caller } from '../../runtime/request/request-context.js';
import { RateBuckets } from '../access/rate-buckets.js';
import type { PerspectiveReads } from '../graphql/perspective-reads.js';
import type { EndpointRegistration } from '../registrations.js';
import type { ToolDocument, ToolEntry } from './tool-entry.js';

/** A tool with what it runs. */
export type AgentTool = {
  readonly document: ToolDocument;
  readonly permission: RequiredPermission;
  /** The command or the perspective, in security events. */
  readonly resource: string;
} & (
  | { readonly does: 'command'; readonly registration: EndpointRegistration; readonly calls: RateBuckets }
  | { readonly does: 'list' | 'one'; readonly reads: PerspectiveReads }
);

/** The tools of a service, of which each caller sees those that they may use. */
export class AgentTools {
  readonly #tools: ReadonlyMap<string, AgentTool>;

  constructor(text: string, endpoints: readonly EndpointRegistration[], reads: readonly PerspectiveReads[]) {
    const entries = JSON.parse(text) as readonly ToolEntry[];
    this.#tools = new Map(entries.map((entry) => [entry.tool.name, toolOf(entry, endpoints, reads)]));
  }

  visibleTo(caller: Caller | undefined): readonly ToolDocument[] {
    return [...this.#tools.values()]
      .filter(({ permission }) => mayUse(caller, permission))
      .map(({ document }) => document);
  }

  find(name: string): AgentTool | undefined {
    return this.#tools.get(name);
  }
}

/** Whether a list shows it; a call is decided by the guard, which records that. */
function mayUse(caller: Caller | undefined, permission: RequiredPermission): boolean {
  const identity = caller?.identity;
  if (caller?.guard === undefined) return true;
  return identity !== undefined && (typeof permission === 'string' || isPermitted(identity, permission));
}

function toolOf(
  entry: ToolEntry,
  endpoints: readonly EndpointRegistration[],
  all: readonly PerspectiveReads[],
): AgentTool {
  const { tool: document } = entry;
  if ('command' in entry) {
    const registration = endpoints.find(({ command }) => command.name === entry.command);
    if (registration === undefined) throw outdated(document.name);
    const { permission = 'authenticated' } = registration;
    const calls = new RateBuckets({ limit: entry.perMinute, windowSeconds: 60 });
    return { does: 'command', document, permission, resource: entry.command, registration, calls };
  }
  const reads = all.find(({ names }) => names.list === entry.list || names.one === entry.one);
  if (reads === undefined) throw outdated(document.name);
  const { permission, name: resource } = reads;
  return { does: entry.list === undefined ? 'one' : 'list', document, permission, resource, reads };
}

const outdated = (name: string): Problem =>
  new Problem('invalid-setup', {
    detail: `The tool '${name}' is of an earlier version of the sources; run svc generate.`,
  });
