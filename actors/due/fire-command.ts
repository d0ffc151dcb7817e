import type { Command, MessageClass } from '../../contracts/message.js';
import { commandOf } from '../../runtime/timers/command-timer.js';
import { unknownTimer } from '../steps/step-errors.js';
import type { Fire } from './fire-timer.js';

/** Sends the command that a timer holds. */
export const fireCommand =
  (commandNamed: (name: string) => MessageClass<Command> | undefined): Fire =>
  async ({ data }, stage) => {
    const { type, body } = data as { readonly type: string; readonly body: object };
    const known = commandNamed(type);
    if (known === undefined)
      throw unknownTimer(`No receptor handles ${type}: it was removed or renamed after the timer was set.`);
    await stage(commandOf(known, body));
    return {};
  };
