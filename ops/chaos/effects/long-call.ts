import { newUuid } from '../../../contracts/uuid.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { Upload } from './effect-commands.js';
import { claimedBy, isSettled } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import type { EffectScene, HostSettings } from './effect-scene.js';

interface LongCall {
  readonly parts: number;
  /** How long the other system takes for a part. */
  readonly partMs: number;
  /** So many parts, of all calls, are uploaded from one restart to the next. */
  readonly between: number;
  readonly settings: HostSettings;
}

const uploads = 3;
const awayMs = 500;

/** Calls that take long continue from their progress while the hosts are restarted, one after the other, again and again. */
export const longCall = ({ parts, partMs, between, settings }: LongCall): EffectScenario => ({
  afterMs: { upload: partMs },
  settings,
  play: async (scene, { printProgress }) => {
    const { load, database, provider } = scene;
    await load.askFor(Upload, Array.from({ length: uploads }, newUuid), uploads, parts);
    const names = [...scene.hosts.keys()];
    let [faults, interrupted] = [0, 0];
    const endsWithin = 10 * parts * partMs + 60_000;
    const settled = await holdsWithin('the calls end', endsWithin, async () => {
      if ((await provider()).keys < (faults + 1) * between) return isSettled(database);
      interrupted += await restart(scene, names[faults++ % names.length] ?? '');
      printProgress(`${faults} restarts, ${interrupted} interrupted calls`);
      return false;
    });
    const { calls, keys } = await provider();
    return {
      faults,
      figures: { parts: keys, interrupted, repeatedParts: calls - keys },
      promises: [
        settled,
        { promise: 'hosts were restarted under the calls', kept: interrupted > 0 },
        { promise: 'every part is uploaded', kept: keys === uploads * parts },
        {
          promise: 'a restart repeats at most one part of each call',
          kept: calls - keys <= uploads * faults,
        },
      ],
    };
  },
});

/** Drains a host, waits until it is back, and returns how many calls it had. */
async function restart({ hosts, database }: EffectScene, name: string): Promise<number> {
  const host = hosts.get(name);
  const before = host?.starts;
  const held = await claimedBy(database, name);
  await host?.stopFor(awayMs);
  await holdsWithin('it is back', 60_000, () => Promise.resolve(host?.starts !== before));
  return held;
}
