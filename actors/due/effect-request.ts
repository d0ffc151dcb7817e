import { decodeBody } from '../../contracts/codec.js';
import type { ClaimedEffect } from '../../contracts/effect-store.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { KnownEffect } from '../../runtime/effects/known-effect.js';
import { commandOf } from '../../runtime/timers/command-timer.js';
import { Unhandled } from '../steps/step-errors.js';

/** The command as it was asked for, perhaps by another version of the service. */
export function requestedCommand({ name, data }: ClaimedEffect, { command }: KnownEffect): Command {
  const { type, body } = data as { readonly type: string; readonly body: object };
  if (type === command.name) return commandOf(command, body);
  throw ofAnotherVersion(`${name} does ${command.name}, and it was asked to do ${type}.`);
}

/** All that it was asked with, and the defaults of fields that are new: nothing is called with a field that is missing. */
export function fittingRequest({ command: { name }, decode }: KnownEffect, command: Command): Command {
  if (decode === undefined) return command;
  try {
    return Object.assign(decodeBody(decode, command), command);
  } catch (error) {
    const [fault] = error instanceof Problem ? (error.errors ?? []) : [];
    if (fault === undefined) throw error;
    throw ofAnotherVersion(`It does not fit ${name}: ${fault.path} ${fault.message}.`);
  }
}

const ofAnotherVersion = (detail: string): Unhandled =>
  new Unhandled(new Problem('request-version', { detail }));
