import { namesIn } from './reachable-types.js';
import { sealedMessages } from './sealed-fields.js';
import type { Exported, ServiceModel } from './service-model.js';

/** A field that nothing hides, named like one that has a subject. */
interface PlainCopy {
  /** The command or event whose audit holds the value. */
  readonly of: Exported;
  /** `RegisterCustomer.email` */
  readonly field: string;
  /** `CustomerRegistered.email` */
  readonly sealed: string;
}

/** Fields of commands and events that seem to hold what elsewhere has a subject: audits would keep it for good. */
export function plainCopies(model: ServiceModel): readonly PlainCopy[] {
  const sealed = sealedNames(model);
  if (sealed.size === 0) return [];
  return [...model.commands, ...model.events].flatMap((of) => {
    const found: PlainCopy[] = [];
    const seen = new Set<string>();
    const visit = (name: string, at: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      const type = model.types.get(name)?.type;
      if (type?.kind === 'union') for (const variant of type.variants) visit(variant.name, at);
      if (type?.kind !== 'object') return;
      for (const property of type.properties) {
        if (property.sensitive) continue;
        const field = `${at}.${property.name}`;
        const like = sealed.get(property.name);
        if (like !== undefined) found.push({ of, field, sealed: like });
        else for (const next of namesIn(property.type)) visit(next, field);
      }
    };
    visit(of.name, of.name);
    return found;
  });
}

/** By the name of the field: one event that has it. */
function sealedNames(model: ServiceModel): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { message, fields } of sealedMessages(model.events, model.types))
    for (const { path } of fields) {
      const steps = path.filter((step) => step !== null);
      names.set(steps.at(-1) ?? '', [message, ...steps].join('.'));
    }
  return names;
}
