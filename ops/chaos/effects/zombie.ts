import { holdsWithin } from '../scenarios/scenario.js';
import { claimedBy, countRecords, isSettled } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import { hostNames, type HostSettings, untilCalling } from './effect-scene.js';

interface Zombie {
  readonly frozenMs: number;
  /** How long the other system takes. */
  readonly afterMs: number;
  /** So soon others have done what the frozen host had. */
  readonly takenOverMs: number;
  readonly settings: HostSettings;
}

const underWay = 3;
const more = 96;
const withinMs = 60_000;

/** A host is frozen under its calls: others do them, and it stores nothing of the answers that it finds when it wakes up. */
export const zombie = ({ frozenMs, afterMs, takenOverMs, settings }: Zombie): EffectScenario => ({
  afterMs: { charge: afterMs, print: afterMs },
  settings,
  play: async (scene) => {
    const { database, hosts } = scene;
    const [name = ''] = hostNames;
    const began = await untilCalling(scene, name, { least: underWay, more, withinMs });
    const thawed = hosts.get(name)?.freezeFor(frozenMs);
    const frozen = await claimedBy(database, name);
    const taken = await holdsWithin('others take over what a frozen host had', takenOverMs, () =>
      isSettled(database),
    );
    await thawed;
    const woke = await untilCalling(scene, name, { least: 1, more, withinMs });
    await holdsWithin('everything is settled', withinMs, () => isSettled(database));
    const dropped = await countRecords(database, 'EffectDropped');
    return {
      faults: 1,
      figures: { frozenCalls: frozen, takenOverMs: taken.ms ?? 0 },
      promises: [
        began,
        { promise: 'a host is frozen under calls', kept: frozen >= underWay },
        taken,
        { ...woke, promise: 'it calls again when it wakes up' },
        { promise: 'no answer is reported as dropped', kept: dropped === 0 },
      ],
    };
  },
});
