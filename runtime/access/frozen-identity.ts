import { type Identity, identityFrom, type IdentityInit } from '../../contracts/identity.js';

/** An identity for all requests of one caller: nothing can change it, so it is checked once. */
export function frozenIdentity(init: IdentityInit): Identity {
  const identity = identityFrom(init);
  const { allowedPrincipals, extensions } = identity.scope;
  for (const part of [identity.scope, allowedPrincipals, extensions, identity.roles, identity.permissions])
    Object.freeze(part);
  return Object.freeze(identity);
}
