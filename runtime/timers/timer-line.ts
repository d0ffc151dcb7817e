import type { EnvelopeScope } from '../../contracts/message.js';
import type { Json } from '../../contracts/scalars.js';

/** The timers of one name and tenant: they take turns with those of others. */
export function timerLine({ name, context }: { readonly name: string; readonly context: Json }): string {
  const { scope } = context as { readonly scope?: EnvelopeScope };
  return `${name}\n${scope?.['tenantId'] ?? ''}`;
}
