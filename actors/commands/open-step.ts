import type { Command } from '../../contracts/message.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import type { StagedUnit } from '../../runtime/unit/unit-of-work.js';

interface StagedCommand {
  readonly work: StagedUnit;
  readonly command: Command;
  readonly leave: () => void;
}

/** Commands that have run but are not yet committed. They keep the slots of their handlers until the step ends. */
export class OpenStep {
  readonly staged = new StagedStep();
  readonly #commands: StagedCommand[] = [];

  constructor(private readonly onStored: (work: StagedUnit, command: Command) => void) {}

  add(work: StagedUnit, command: Command, leave: () => void): void {
    this.staged.add(work);
    this.#commands.push({ work, command, leave });
  }

  /** Discards the commands that a failed command has invoked. */
  discardAfter(length: number): void {
    this.staged.discardAfter(length);
    for (const { leave } of this.#commands.splice(length)) leave();
  }

  /** Called when the unit is committed. */
  stored(): void {
    for (const { work, command } of this.#commands) this.onStored(work, command);
    this.discardAfter(0);
  }
}
