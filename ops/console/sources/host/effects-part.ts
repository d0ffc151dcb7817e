import type { EffectRegistration } from '../../../../contracts/effect.js';
import { effectMachine } from '../../../../actors/due/effect-machine.js';
import type { Database } from '../../../../runtime/database/database.js';
import {
  countByState,
  listEffects,
  longestLanes,
  showEffect,
} from '../../../../runtime/effects/effect-lists.js';
import type { EffectsPart } from '../../model/effects.js';
import { definitionOf } from '../../model/machine-definition.js';
import { clockOf } from './clock-of.js';
import { sharedAnswer } from './shared-answer.js';

/** The effects of this store; the chart is the same for all of them. */
export function effectsPart(database: Database, effects: readonly EffectRegistration[]): EffectsPart {
  const counted = sharedAnswer(() => Promise.all([countByState(database), longestLanes(database)]));
  return {
    page: async (name, limit) => {
      const [[counts, lanes], requests, now] = await Promise.all([
        counted(),
        listEffects(database, { name }, limit),
        clockOf(database),
      ]);
      const names = new Set([...effects.map(({ effect }) => effect.name), ...counts.map((one) => one.name)]);
      return { machine: definitionOf(effectMachine), names: [...names], counts, lanes, requests, now };
    },
    request: (id) => showEffect(database, id),
  };
}
