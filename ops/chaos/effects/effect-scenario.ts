import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import type { Expectation } from '../scenarios/scenario.js';
import { checkEffects, type CountedCalls, type EffectFindings } from './effect-check.js';
import { readEffects } from './effect-load.js';
import { type EffectRun, type EffectScene, type HostSettings, withEffectScene } from './effect-scene.js';
import type { ProviderManner } from './provider.js';

/** What happened, and whether what effects promise was kept. */
interface Played {
  readonly faults: number;
  readonly promises: readonly Expectation[];
  readonly figures: Readonly<Record<string, number>>;
  /** Unset: calls may be made again. */
  readonly counted?: CountedCalls;
}

/** One promise of effects, at any size. */
export interface EffectScenario extends Omit<ProviderManner, 'seed'> {
  readonly settings: HostSettings;
  /** Ends while requests wait. */
  readonly leavesSome?: boolean;
  play(scene: EffectScene, run: EffectRun): Promise<Played>;
}

interface EffectScenarioReport extends EffectFindings, Omit<Played, 'counted'> {
  readonly seed: number;
  readonly commands: number;
  readonly chainHolds: boolean;
  readonly seconds: number;
  readonly ok: boolean;
}

export const runEffectScenario = (
  scenario: EffectScenario,
  run: EffectRun,
): Promise<EffectScenarioReport> => {
  const { afterMs, hasDeadly = false, settings, leavesSome = false } = scenario;
  return withEffectScene(
    run,
    { manner: { ...(afterMs && { afterMs }), hasDeadly }, settings },
    async (scene) => {
      const started = performance.now();
      const { counted, ...played } = await scenario.play(scene, run);
      await scene.stop();
      const { database, load } = scene;
      const stored = await readEffects(database);
      const found = checkEffects(load.asked, stored, (await scene.provider()).keys, counted);
      const findings = leavesSome ? { ...found, lost: found.lost - found.left, left: 0 } : found;
      const { ok: chainHolds } = await verifyChain(database);
      const isClean = Object.values(findings).every((count) => count === 0);
      return {
        seed: run.seed,
        commands: load.asked,
        ...findings,
        ...played,
        chainHolds,
        seconds: Math.round((performance.now() - started) / 1000),
        ok: isClean && chainHolds && played.promises.every(({ kept }) => kept),
      };
    },
  );
};
