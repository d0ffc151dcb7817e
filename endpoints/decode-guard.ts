import type { CommandGuard } from '../actors/commands/command-handler.js';
import type { Caller } from '../runtime/request/request-context.js';

/** Input that blocked the event loop of several hosts is quarantined, by its sender: nothing else is known yet. */
export function decodeGuarded<T>(
  guard: CommandGuard | undefined,
  command: string,
  caller: Caller | undefined,
  decode: () => T,
): T {
  if (guard === undefined) return decode();
  const { watch, quarantine } = guard;
  const work = `input of ${command}`;
  const key = caller?.sender;
  const refusal = quarantine.refusalOf(work, { key });
  if (refusal !== undefined) throw refusal;
  const before = watch.enter(watch.register(work), { key });
  try {
    return decode();
  } finally {
    watch.leave(before);
  }
}
