import type { GuardedResource } from '../../contracts/identity.js';
import type { Permission } from '../../contracts/permission.js';
import type { ScopeFilters } from '../../contracts/perspective-scope.js';

interface Action {
  readonly permission: Permission;
  readonly filter: ScopeFilters;
  readonly text: string;
}

/** Names what was granted. The guard of a route asks with each request, always for the same: its text is kept. */
export class GrantedActions {
  readonly #known = new WeakMap<GuardedResource, Action>();

  textOf(resource: GuardedResource, permission: Permission, filter: ScopeFilters): string {
    const known = this.#known.get(resource);
    if (known !== undefined && known.permission === permission && known.filter === filter) return known.text;
    const text = `granted\0${permission.value}\0${filter}\0${resource.type}`;
    // What can change is named again each time.
    if (Object.isFrozen(resource)) this.#known.set(resource, { permission, filter, text });
    return text;
  }
}
