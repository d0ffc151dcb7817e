import type { SystemEventEmitter } from '../contracts/emitter.js';

/** Makes injecting an emitter always safe: it does nothing on every call. */
export class NoOpSystemEventEmitter implements SystemEventEmitter {
  async emitEventAudited(): Promise<void> {}

  async emitCommandAudited(): Promise<void> {}

  async emit(): Promise<void> {}

  shouldExcludeFromAudit(): boolean {
    return false;
  }
}
