import type { AccessOrigin, Identity, RequiredPermission } from '../../contracts/identity.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { Problem } from '../../contracts/problems.js';
import type { Timestamp } from '../../contracts/scalars.js';
import type { Process } from '../../actors/processes/process.js';
import { isInState, stateNames } from '../../actors/processes/state-text.js';
import type { AwaitedInstances, InstanceNow } from '../../runtime/reactions/awaited-instances.js';
import type { Caller } from '../../runtime/request/request-context.js';
import { type ReadNames, readNamesOf } from '../read-names.js';

/** An instance as callers see it. */
export interface ShownInstance {
  readonly key: string;
  readonly state: string;
  readonly hasEnded: boolean;
  /** It waits for an operator. */
  readonly isParked: boolean;
  readonly since: Timestamp;
  readonly view: object;
}

/** An instance, and whether it is what its caller waits for. */
export interface FoundInstance {
  readonly instance: ShownInstance;
  readonly isReached: boolean;
}

/** Who reads, and where that is recorded if it is refused. */
interface Reading {
  readonly caller: Caller | undefined;
  readonly origin: AccessOrigin;
}

export type VisibleProcess = Process & Required<Pick<Process, 'route' | 'permission' | 'view'>>;

export const isVisible = (process: Process): process is VisibleProcess => process.route !== undefined;

/** What the parameter `until` names; nothing else may be asked. */
export function statesNamedIn(url: string): readonly string[] {
  const mark = url.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const other = [...parameters.keys()].find((name) => name !== 'until');
  if (other !== undefined)
    throw invalid(`${JSON.stringify(other.slice(0, 80))} is not a parameter; until is.`);
  return parameters.getAll('until').flatMap((list) => list.split(','));
}

/** How callers read the instances of one process: those of their own tenant, and only what `view` returns of them. */
export class ProcessReads {
  readonly names: ReadNames | undefined;
  readonly permission: RequiredPermission;
  /** Also those of earlier versions. */
  readonly states: ReadonlySet<string>;

  constructor(
    readonly process: VisibleProcess,
    private readonly instances: AwaitedInstances,
    /** Whether callers see the instances of their own tenant alone. */
    private readonly isLimited: boolean,
  ) {
    const { machine, older = {}, route, permission } = process;
    this.names = readNamesOf(route);
    this.permission = permission;
    this.states = new Set([machine, ...Object.values(older)].flatMap(stateNames));
  }

  /** Waits until the instance is in one of the states, has ended or is parked; without states, until it exists. */
  async find(
    key: string,
    caller: Identity | undefined,
    until: readonly string[],
    ending: AbortSignal,
  ): Promise<FoundInstance | undefined> {
    const { name } = this.process;
    if (key.includes('\0')) return undefined;
    const isShown = (now: InstanceNow): boolean => !this.isLimited || now.tenant === caller?.scope.tenantId;
    const isReached = (now: InstanceNow): boolean =>
      isShown(now) &&
      (until.length === 0 || now.status !== 'running' || until.some((state) => isInState(now.state, state)));
    const awaited = await this.instances.wait(name, key, isReached, ending);
    const now = awaited ?? (await this.instances.read(name, key));
    // One that was parked before its first state has nothing to show.
    if (now === undefined || now.context === null || !isShown(now)) return undefined;
    const { state, status, since } = now;
    const instance = {
      key,
      state,
      hasEnded: status === 'ended',
      isParked: status === 'parked',
      since,
      view: this.process.view(now.context, state),
    };
    return { instance, isReached: isReached(now) };
  }

  /** For GraphQL; null: there is none that the caller may see. */
  async read({ caller, origin }: Reading, key: string): Promise<ShownInstance | null> {
    const resource = { type: this.process.name };
    const { Tenant } = ScopeFilters;
    const refusal = caller?.guard?.refusalOf(caller.identity, this.permission, resource, Tenant, origin);
    if (refusal !== undefined) throw refusal;
    const found = await this.find(key, caller?.identity, [], AbortSignal.abort());
    return found?.instance ?? null;
  }

  /** The states of the parameter `until`. */
  statesIn(url: string): readonly string[] {
    const asked = statesNamedIn(url);
    const unknown = asked.find((state) => !this.states.has(state));
    if (unknown === undefined) return [...new Set(asked)];
    const all = [...this.states].slice(0, mostNamed).join(', ');
    throw invalid(`${JSON.stringify(unknown.slice(0, 80))} is not a state of ${this.process.name}: ${all}.`);
  }
}

const mostNamed = 50;

const invalid = (detail: string): Problem => new Problem('invalid-query', { detail });
