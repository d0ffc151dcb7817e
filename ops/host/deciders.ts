import { deciderReceptors, shareStates } from '../../actors/deciders/decider-receptors.js';
import { effectReceptors } from '../../actors/commands/effect-receptor.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { Registry } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import { DeciderStates } from '../../runtime/deciders/decider-states.js';
import { postgresKeptStates } from '../../runtime/deciders/postgres-kept-states.js';
import type { Config } from '../config/config.js';

/** The receptors of the application with those of its deciders and effects. */
export const withDeciders = (registry: Registry): Registry => ({
  ...registry,
  receptors: [
    ...registry.receptors,
    ...(registry.deciders ?? []).flatMap(deciderReceptors),
    ...effectReceptors(registry.effects ?? []),
  ],
});

/** The states of the deciders of a host, which all of them share. */
export function shareDeciderStates(
  { receptors }: Pick<Registry, 'receptors'>,
  { upcasters }: Pick<UnitStore, 'upcasters'>,
  database: Database,
  { development }: Pick<Config, 'development'>,
): DeciderStates {
  const states = new DeciderStates({
    upcasters,
    kept: postgresKeptStates(database),
    freezes: development,
    changes: () => database.changes,
  });
  shareStates(receptors, states);
  return states;
}
