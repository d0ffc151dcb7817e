import type { ListedFlag } from '../../../runtime/flags/read-flags.js';

export interface FlagItem extends ListedFlag {
  /** For whom it is on, in words. */
  readonly words: string;
}

/** The feature flags of the store. */
export interface FlagsPart {
  list(): Promise<readonly FlagItem[]>;
  /** Turns a flag on or off for everyone; false when it was like this before. */
  turn(
    name: string,
    on: boolean,
    edit: { readonly actor: string; readonly reason: string },
  ): Promise<boolean>;
}
