import type { HeldCursor, UnitLists } from '../../contracts/unit-lists.js';
import type { Marks } from '../../runtime/reactions/line-effects.js';

/** The marks of a cursor, as lists of a unit. */
export const markLists = (cursor: HeldCursor, { handled, aside }: Marks): Partial<UnitLists> => ({
  ...(handled === undefined ? {} : { handled: [{ cursor, ...handled }] }),
  ...(aside === undefined ? {} : { aside: [{ cursor, ...aside }] }),
});
