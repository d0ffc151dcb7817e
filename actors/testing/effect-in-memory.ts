import type { Decode } from '../../contracts/codec.js';
import type { AnyEffect } from '../../contracts/effect.js';
import type { Command } from '../../contracts/message.js';
import type { Sealing } from '../../contracts/sealing.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { knownEffect } from '../../runtime/effects/known-effect.js';
import { effectHostInMemory } from '../kit/effect-host-in-memory.js';
import type { MovedActor } from '../steps/moved-actor.js';
import { PrintLabel } from './label-printing.js';

/** A host in memory that prints labels. */
export function effectInMemory(
  settings: Partial<AnyEffect> & Pick<AnyEffect, 'call'>,
  committing?: (commit: UnitStore['commit']) => UnitStore['commit'],
  sealing?: Sealing,
  decode?: Decode<Command>,
) {
  const known = knownEffect({
    command: PrintLabel,
    effect: { name: 'printer', ...settings },
    ...(decode !== undefined && { decode }),
  });
  const moved: MovedActor[] = [];
  const host = effectHostInMemory(known, {
    committing,
    sealing,
    moved: (request) => void moved.push(request),
  });
  const ask = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await host.dispatcher.localInvoke(PrintLabel.of({ orderId: newUuid() }));
  };
  return { ...host, ask, moved };
}
