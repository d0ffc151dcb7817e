import { setTimeout as delay } from 'node:timers/promises';
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
  /** From one rolling restart to the next. */
  readonly everyMs: number;
  readonly settings: HostSettings;
}

const uploads = 3;
const awayMs = 500;

/** Calls that take long continue from their progress while all hosts are restarted, one after the other, again and again. */
export const longCall = ({ parts, partMs, everyMs, settings }: LongCall): EffectScenario => ({
  ...{ afterMs: { upload: partMs }, settings },
  play: async (scene, { printProgress }) => {
    const { load, database } = scene;
    await load.askFor(Upload, Array.from({ length: uploads }, newUuid), uploads, parts);
    const ends = holdsWithin('the calls end', 2 * parts * partMs + 60_000, () => isSettled(database));
    let [faults, interrupted] = [0, 0];
    const haveEnded = () => Promise.race([ends, delay(everyMs, undefined, { ref: false })]);
    while ((await haveEnded()) === undefined) {
      for (const name of scene.hosts.keys()) {
        interrupted += await restart(scene, name);
        faults++;
      }
      printProgress(`${faults} restarts, ${interrupted} interrupted calls`);
    }
    const { calls, keys } = await scene.provider();
    return {
      ...{ faults, figures: { parts: keys, interrupted, repeatedParts: calls - keys } },
      promises: [
        await ends,
        { promise: 'hosts were restarted under the calls', kept: interrupted > 0 },
        { promise: 'every part is uploaded', kept: keys === uploads * parts },
        {
          promise: 'of parts only those are repeated that a restart interrupts',
          kept: calls - keys <= interrupted,
        },
      ],
    };
  },
});

/** Drains a host, waits until it is back, and returns how many calls it had. */
async function restart({ hosts, database }: EffectScene, name: string): Promise<number> {
  const host = hosts.get(name);
  const before = host?.starts ?? 0;
  const held = await claimedBy(database, name);
  await host?.stopFor(awayMs);
  while ((host?.starts ?? before + 1) === before) await delay(20);
  return held;
}
