import * as assert from 'uvu/assert';
import type { Child } from '../supervisor/child.js';
import { restartDefaults } from '../supervisor/restart-policy.js';
import { Supervisor } from '../supervisor/supervisor.js';

/** A child that records what happens to it, and crashes on demand. */
export class Watchman implements Child {
  lives = 0;
  crash: (error: unknown) => void = () => assert.unreachable('it was never started');

  constructor(
    readonly name: string,
    readonly diary: string[],
    readonly more: {
      isVital?: boolean;
      stopWithinMs?: number;
      onStart?: () => unknown;
      onStop?: () => unknown;
    } = {},
  ) {}

  get isVital() {
    return this.more.isVital ?? false;
  }

  get stopWithinMs() {
    return this.more.stopWithinMs ?? 1_000;
  }

  async start(crashed: (error: unknown) => void) {
    this.lives++;
    this.crash = crashed;
    await this.more.onStart?.();
    this.diary.push(`${this.name} up`);
    return {
      mailbox: 3,
      stop: async () => {
        await this.more.onStop?.();
        this.diary.push(`${this.name} down`);
      },
    };
  }
}

export const atOnce = { ...restartDefaults, restarts: 3, firstDelayMs: 0 };

/** One that restarts at once, and gives up after three restarts. */
export const impatientSupervisor = (): Supervisor => new Supervisor({ policy: atOnce });
