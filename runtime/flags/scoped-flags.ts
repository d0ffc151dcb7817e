import type { Flags, FlagScope, FlagSource } from '../../contracts/flags.js';

/** Where there is no host, every flag is off. */
export const noFlags: FlagSource = { isOn: () => false };

/** The flags for one caller. */
export class ScopedFlags implements Flags {
  constructor(
    private readonly source: FlagSource,
    private readonly scope: FlagScope,
  ) {}

  isOn(name: string): boolean {
    return this.source.isOn(name, this.scope);
  }
}
