import type { SystemEventEmitter } from '../../contracts/system-event-emitter.js';

type Given<Name extends keyof SystemEventEmitter> = Partial<Parameters<SystemEventEmitter[Name]>>;

/** Makes injecting an emitter always safe: every call does nothing. */
export class NoOpSystemEventEmitter implements SystemEventEmitter {
  async emitEventAudited(..._given: Given<'emitEventAudited'>): Promise<void> {}

  async emitCommandAudited(..._given: Given<'emitCommandAudited'>): Promise<void> {}

  async emit(..._given: Given<'emit'>): Promise<void> {}

  shouldExcludeFromAudit(..._given: Given<'shouldExcludeFromAudit'>): boolean {
    return false;
  }
}
