import type { EffectRegistration } from '../../contracts/effect.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import { invokedBy } from '../processes/check-process.js';
import type { Process } from '../processes/process.js';

/** What a process invokes is answered by an effect: a receptor would answer within the step. */
export function mustHaveEffects(processes: readonly Process[], effects: readonly EffectRegistration[]): void {
  for (const process of processes) {
    const missing = invokedBy(process).find((src) => !effects.some(({ command }) => command.name === src));
    if (missing !== undefined)
      throw new Problem('invalid-setup', {
        detail: `The process ${process.name} invokes ${missing}, which no effect does: send it instead.`,
      });
  }
}

/** Two of one name would send commands of the same ids because of one event. */
export function mustHaveOwnNames(list: readonly { readonly name: string }[]): void {
  const names = list.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Problem('invalid-setup', {
      detail: `Two reactions or processes have the name '${twice}'; rename one.`,
    });
}

/** An event would wait for one that is not there until its key is parked. */
export function mustKnowPerspectives(reactions: readonly Reaction[], known: readonly string[]): void {
  for (const { name, after = [] } of reactions) {
    const unknown = after.find((perspective) => !known.includes(perspective));
    if (unknown === undefined) continue;
    const others = known.length === 0 ? 'none is registered before it' : `there are: ${known.join(', ')}`;
    throw new Problem('invalid-setup', {
      detail: `The reaction '${name}' waits for the perspective '${unknown.slice(0, 80)}', which is not known; ${others}.`,
    });
  }
}
