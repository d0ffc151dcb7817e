import { type Identity, isPermitted } from '../../contracts/identity.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import type { Authentication, Identifiable } from '../access/authentication.js';

/** Whether the caller of an open stream may still watch, with the same scope as when it was opened. */
export function checkAgain(
  authentication: Authentication | undefined,
  { permission = 'authenticated', name: type }: AnyPerspective,
  request: Identifiable & { readonly identity?: Identity | undefined },
): () => Promise<boolean> {
  const scope = textOf(request.identity);
  return async () => {
    if (authentication === undefined) return true;
    const { identify, identifyAgain = identify } = authentication;
    const identity = (await identifyAgain(request)) ?? undefined;
    if (textOf(identity) !== scope) return false;
    // What was granted is recorded once, what is denied now is recorded too.
    if (typeof permission !== 'string' && identity !== undefined && isPermitted(identity, permission))
      return true;
    return authentication.guard.refusalOf(identity, permission, { type }) === undefined;
  };
}

const textOf = (identity: Identity | undefined): string => JSON.stringify(identity?.scope ?? null);
