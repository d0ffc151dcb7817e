import type { EnvelopeScope } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';

const names = ['tenantId', 'customerId', 'userId', 'organizationId'] as const;

/** A command that an event causes has the scope of the event. */
export function scopeOfEnvelope(flat: EnvelopeScope | undefined): PerspectiveScope | undefined {
  if (flat === undefined) return undefined;
  const { allowedPrincipals, ...rest } = flat;
  const named: Partial<Record<(typeof names)[number], string>> = {};
  const extensions: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value === null) continue;
    const known = names.find((one) => one === name);
    if (known === undefined) extensions[name] = value;
    else named[known] = value;
  }
  return { ...named, allowedPrincipals: allowedPrincipals?.split(',') ?? [], extensions };
}
