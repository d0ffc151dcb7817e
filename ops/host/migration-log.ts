import {
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from '../../contracts/events/migration.js';
import { log } from '../../runtime/logging/log.js';
import type { MigrationEvent } from '../../runtime/migrations/outcome-events.js';

const tickMs = 1_000;
const logEverySeconds = 5;

interface RunningMigration {
  readonly key: string;
  readonly beganAt: number;
  loggedAtSecond?: number;
  progress?: { readonly done: number; readonly total: number };
}

/** Logs slow migrations while they run, and failures; quick ones are not logged. */
export class MigrationLog {
  #running: RunningMigration | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly alive: () => void = () => undefined) {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    alive();
  }

  readonly watch = (event: MigrationEvent): void => {
    if (event instanceof MigrationItemStarted) {
      this.#running = { key: event.migrationKey, beganAt: Date.now() };
    }
    if (event instanceof MigrationItemFailed) {
      const { migrationKey: migration, error, failureReason } = event;
      log.error({ migration, failureReason, error }, 'a migration failed');
    }
    if (event instanceof MigrationItemCompleted && this.#seconds >= 1) {
      log.info({ migration: event.migrationKey, seconds: this.#seconds }, event.statusDescription);
    }
    if (event instanceof MigrationItemCompleted || event instanceof MigrationItemFailed) {
      this.#running = undefined;
    }
  };

  readonly progress = (_key: string, done: number, total: number): void => {
    if (this.#running !== undefined) this.#running.progress = { done, total };
  };

  stop(): void {
    clearInterval(this.#timer);
  }

  get #seconds(): number {
    return this.#running === undefined ? 0 : Math.floor((Date.now() - this.#running.beganAt) / 1_000);
  }

  #tick(): void {
    this.alive();
    const running = this.#running;
    const seconds = this.#seconds;
    // One that has just begun may have nothing to do.
    if (running === undefined || seconds < 1) return;
    // Compared with the last line, not with a multiple: a late tick skips seconds.
    if (running.loggedAtSecond !== undefined && seconds < running.loggedAtSecond + logEverySeconds) return;
    running.loggedAtSecond = seconds;
    const { key: migration, progress } = running;
    log.info({ migration, seconds, ...progress }, 'a migration is running');
  }
}
