import { AuditMode } from './audit.js';
import type { MessageType } from './message.js';
import { Problem } from './problems.js';
import { systemMessageCategoryOf, type SystemMessageCategory } from './system-messages.js';

/** Which system messages a host stores, and whether it publishes and receives them. */
export class SystemEventOptions {
  /** System messages are neither published nor received. */
  localOnly = true;
  #auditMode: AuditMode = AuditMode.OptOut;
  // Security, migration, operator, deployment and custom messages cannot be switched off.
  readonly #enabled = new Set<SystemMessageCategory>([
    'security',
    'migration',
    'operator',
    'deployment',
    'store',
    'custom',
  ]);

  get auditMode(): AuditMode {
    return this.#auditMode;
  }

  set auditMode(mode: AuditMode) {
    if (!Object.hasOwn(AuditMode, mode)) {
      throw new Problem('invalid-setup', {
        detail: `The audit mode must be OptOut or OptIn, not '${mode}'.`,
      });
    }
    this.#auditMode = mode;
  }

  get eventAuditEnabled(): boolean {
    return this.#enabled.has('event-audit');
  }

  get commandAuditEnabled(): boolean {
    return this.#enabled.has('command-audit');
  }

  get auditEnabled(): boolean {
    return this.eventAuditEnabled || this.commandAuditEnabled;
  }

  get perspectiveEventsEnabled(): boolean {
    return this.#enabled.has('perspective');
  }

  get errorEventsEnabled(): boolean {
    return this.#enabled.has('error');
  }

  get processEventsEnabled(): boolean {
    return this.#enabled.has('process');
  }

  enableAll(): this {
    return this.enableAudit().enablePerspectiveEvents().enableErrorEvents().enableProcessEvents();
  }

  enableAudit(): this {
    return this.enableEventAudit().enableCommandAudit();
  }

  enableEventAudit(): this {
    return this.#enable('event-audit');
  }

  enableCommandAudit(): this {
    return this.#enable('command-audit');
  }

  enablePerspectiveEvents(): this {
    return this.#enable('perspective');
  }

  enableErrorEvents(): this {
    return this.#enable('error');
  }

  /** Starts and ends of processes, and what timers and schedules missed. */
  enableProcessEvents(): this {
    return this.#enable('process');
  }

  /** Lets system messages cross the transport in both directions. */
  broadcast(): this {
    this.localOnly = false;
    return this;
  }

  /** Remembers the current settings; the returned function restores them. */
  checkpoint(): () => void {
    const { localOnly, auditMode } = this;
    const enabled = [...this.#enabled];
    return () => {
      this.localOnly = localOnly;
      this.#auditMode = auditMode;
      this.#enabled.clear();
      for (const category of enabled) this.#enabled.add(category);
    };
  }

  /** Whether messages of this type are stored as system messages; always false for a domain event. */
  isEnabled(type: MessageType): boolean {
    const category = systemMessageCategoryOf(type);
    return category !== undefined && this.#enabled.has(category);
  }

  #enable(category: SystemMessageCategory): this {
    this.#enabled.add(category);
    return this;
  }
}
