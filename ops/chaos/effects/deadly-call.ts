import { holdsWithin } from '../scenarios/scenario.js';
import { Charge } from './effect-commands.js';
import { isSettled, parkedErrors, tenants } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import { hostNames, type HostSettings } from './effect-scene.js';

interface DeadlyCall {
  readonly requests: number;
  readonly withinMs: number;
  readonly settings: HostSettings;
}

const mostDeaths = 5;

/** The answer to one request kills the host that gets it under other calls: after five hosts it alone is parked. */
export const deadlyCall = ({ requests, withinMs, settings }: DeadlyCall): EffectScenario => ({
  afterMs: { charge: 600 },
  hasDeadly: true,
  settings,
  leavesSome: true,
  play: async ({ load, database, hosts }) => {
    await load.askFor(Charge, tenants, requests);
    const settled = await holdsWithin('all but one are done', withinMs, () => isSettled(database));
    const parked = await parkedErrors(database);
    const deaths = [...hosts.values()].reduce((sum, { starts }) => sum + starts, 0) - hostNames.length;
    return {
      faults: deaths,
      figures: { deaths, parked: parked.length },
      promises: [
        settled,
        {
          promise: 'the one that kills its hosts is parked',
          kept: parked.length === 1 && parked[0]?.startsWith('effect-lost: ') === true,
        },
        { promise: 'it killed five hosts', kept: deaths === mostDeaths },
      ],
    };
  },
});
