import type { StagedRecord } from '../../contracts/unit-store.js';
import { Problem } from '../../contracts/problems.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { auditPayloadOf } from './audit-payload.js';

export type SystemEventHook = (payload: Readonly<Record<string, unknown>>) => void | Promise<void>;

const warnBytes = 8 * 1024;
const refuseBytes = 64 * 1024;

interface HookReports {
  /** Called when a payload is larger than a hook should receive. */
  large(tag: string, bytes: number): void;
  failed(tag: string, error: unknown): void;
}

/** Runs the hooks of a tag after the commit; a failing hook cannot affect what was committed. */
export class SystemEventHooks {
  readonly #hooks = new Map<string, SystemEventHook[]>();
  readonly #stored = new Map<string, number>();
  reports: HookReports | undefined;

  /** How many system events of each type were stored. */
  get stored(): ReadonlyMap<string, number> {
    return this.#stored;
  }

  /** `sys-audit` gets every audit; any other tag is the name of a system message. No hook gets the body of an audit. */
  on(tag: string, hook: SystemEventHook): void {
    if (tag !== 'sys-audit' && !systemMessages.has(tag)) {
      const reason = tag.startsWith('sys-')
        ? 'tags that start with sys- are reserved'
        : 'it is not a system message';
      throw new Problem('invalid-setup', { detail: `No hook can be registered for '${tag}': ${reason}.` });
    }
    this.#hooks.set(tag, [...(this.#hooks.get(tag) ?? []), hook]);
  }

  /** Calls the hooks for records that are now stored. */
  committed(records: readonly StagedRecord[]): void {
    for (const { envelope, recordedAt } of records)
      if (recordedAt !== null)
        this.#stored.set(envelope.messageType, (this.#stored.get(envelope.messageType) ?? 0) + 1);
    if (this.#hooks.size === 0) return;
    for (const record of records) if (record.recordedAt !== null) this.#runAllOf(record);
  }

  #runAllOf(record: StagedRecord): void {
    const audit = auditPayloadOf(record);
    if (audit !== undefined) this.#run('sys-audit', audit);
    const { messageType, payload } = record.envelope;
    this.#run(messageType, audit ?? (payload as Readonly<Record<string, unknown>>));
  }

  #run(tag: string, payload: Readonly<Record<string, unknown>>): void {
    const hooks = this.#hooks.get(tag) ?? [];
    if (hooks.length === 0) return;
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes >= refuseBytes) {
      this.reports?.failed(
        tag,
        new Problem('hook-payload-too-large', {
          detail: `The payload has ${bytes} bytes; at most ${refuseBytes} are passed to a hook.`,
        }),
      );
      return;
    }
    if (bytes >= warnBytes) this.reports?.large(tag, bytes);
    for (const hook of hooks) {
      void (async () => hook(payload))().catch((error: unknown) => this.reports?.failed(tag, error));
    }
  }
}
