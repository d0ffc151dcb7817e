import type { ActorRefFrom } from 'xstate';
import type { Command } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { commandHandler } from './command-handler.js';
import type { CommandKeys } from './command-keys.js';

/** The actor of one receptor, with its names. */
export interface Handler {
  readonly actor: ActorRefFrom<typeof commandHandler>;
  readonly receptor: Receptor<Command, unknown>;
  readonly name: string;
  readonly resultName: string | undefined;
  readonly keys: CommandKeys;
  /**
   * Whether its commands may be decided before earlier ones with the same key are committed. Its staged units show
   * whether they may.
   */
  follows: 'not yet' | 'yes' | 'never';
}
