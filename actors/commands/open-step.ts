import type { Command } from '../../contracts/message.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import type { StagedUnit } from '../../runtime/unit/unit-of-work.js';

interface StagedCommand {
  readonly work: StagedUnit;
  readonly command: Command;
  readonly leave: () => void;
}

/** Commands that have run and are not committed yet; their handlers keep their slots until the step ends. */
export class OpenStep {
  readonly staged = new StagedStep();
  readonly #commands: StagedCommand[] = [];

  constructor(private readonly onStored: (work: StagedUnit, command: Command) => void) {}

  add(work: StagedUnit, command: Command, leave: () => void): void {
    this.staged.add(work);
    this.#commands.push({ work, command, leave });
  }

  /** Discards what a failed command has invoked. */
  discardAfter(length: number): void {
    this.staged.discardAfter(length);
    for (const { leave } of this.#commands.splice(length)) leave();
  }

  /** The unit is committed. */
  stored(): void {
    for (const { work, command } of this.#commands) this.onStored(work, command);
    this.discardAfter(0);
  }
}
