import type { AnyDecider } from '../../contracts/decider.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor } from '../../contracts/receptor.js';
import { decide, streamOf } from '../deciders/decide.js';
import { DeciderStates } from '../deciders/decider-states.js';

/** One receptor for all commands of a decider; it reads the stream each time, and refuses a state that is changed in place. */
export const deciderReceptor = (decider: AnyDecider): Receptor<Command, unknown> => ({
  handle: (command, work) => {
    const name = Object.keys(decider.commands).find((key) => decider.commands[key] === command.constructor);
    if (name === undefined)
      throw new Problem('invalid-setup', {
        detail: `Decider ${decider.name} does not decide ${command.constructor.name}.`,
      });
    const streamId = streamOf(decider, name, command);
    return decide({ decider, name, command, streamId }, work, new DeciderStates());
  },
});
