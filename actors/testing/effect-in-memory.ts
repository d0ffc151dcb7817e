import type { Decode } from '../../contracts/codec.js';
import type { AnyEffect } from '../../contracts/effect.js';
import type { Command } from '../../contracts/message.js';
import { partitions } from '../../contracts/reaction-store.js';
import type { Sealing } from '../../contracts/sealing.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { knownEffect } from '../../runtime/effects/known-effect.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { effectReceptors } from '../commands/effect-receptor.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { EffectFigures } from '../due/effect-figures.js';
import type { MovedActor } from '../steps/moved-actor.js';
import { EffectWork } from '../due/effect-work.js';
import { BlockingCode } from '../steps/blocking-code.js';
import { PrintLabel } from './label-printing.js';

/** A host that does one effect, on a store in memory whose clock stands still; it looks when a test says so. */
export function effectInMemory(
  settings: Partial<AnyEffect> & Pick<AnyEffect, 'call'>,
  commit?: (commit: UnitStore['commit']) => UnitStore['commit'],
  sealing?: Sealing,
  decode?: Decode<Command>,
) {
  const clock = fakeClock();
  const store = new InMemoryEventStore({ now: clock.now });
  const known = knownEffect({
    command: PrintLabel,
    effect: { name: 'printer', ...settings },
    ...(decode !== undefined && { decode }),
  });
  const dispatcher = new LocalDispatcher({ store, staging: { effectOf: () => known } });
  dispatcher.register(effectReceptors([known]));
  const figures = new EffectFigures();
  const moved: MovedActor[] = [];
  const commits = store.commit.bind(store);
  const work = new EffectWork({
    dispatcher,
    effects: store.effects,
    known: new Map([['printer', known]]),
    store: { commit: commit?.(commits) ?? commits },
    parts: () => Array.from({ length: partitions }, (_, part) => part),
    code: new BlockingCode(),
    sealing,
    deadlineMs: 30_000,
    recordOf: () => undefined,
    committed: () => undefined,
    wake: () => undefined,
    isBusy: () => false,
    isSensitive: () => false,
    secretsIn: () => undefined,
    figuresOf: () => figures,
    moved: (request) => void moved.push(request),
  });
  const ask = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await dispatcher.localInvoke(PrintLabel.of({ orderId: newUuid() }));
  };
  return { ask, clock, figures, moved, store, work };
}
