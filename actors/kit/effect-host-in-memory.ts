import { partitions } from '../../contracts/reaction-store.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { KnownEffect } from '../../runtime/effects/known-effect.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { effectReceptors } from '../commands/effect-receptor.js';
import { EffectFigures } from '../due/effect-figures.js';
import { type EffectPorts, EffectWork } from '../due/effect-work.js';
import { BlockingCode } from '../steps/blocking-code.js';

type Commit = UnitStore['commit'];

interface HostOptions extends Partial<Pick<EffectPorts, 'moved' | 'sealing'>> {
  /** What commits in place of the store. */
  readonly committing?: ((commit: Commit) => Commit) | undefined;
}

/** A host that does one effect, on a store in memory whose clock stands still; it looks for requests when a test says so. */
export function effectHostInMemory(
  known: KnownEffect,
  { committing = (commit) => commit, moved, sealing }: HostOptions = {},
) {
  const clock = fakeClock();
  const store = new InMemoryEventStore({ now: clock.now });
  const dispatcher = new LocalDispatcher({ store, staging: { effectOf: () => known } });
  dispatcher.register(effectReceptors([known]));
  const figures = new EffectFigures();
  const work = new EffectWork({
    dispatcher,
    store: { commit: committing(store.commit.bind(store)) },
    effects: store.effects,
    known: new Map([[known.effect.name, known]]),
    parts: () => Array.from({ length: partitions }, (_, part) => part),
    code: new BlockingCode(),
    sealing,
    moved,
    deadlineMs: 30_000,
    recordOf: () => undefined,
    committed: () => undefined,
    wake: () => undefined,
    isBusy: () => false,
    isSensitive: () => false,
    secretsIn: () => undefined,
    figuresOf: () => figures,
  });
  return { clock, dispatcher, figures, store, work };
}
