/** `pin`: an unknown store is trusted from its first message on; `strict`: it waits for an operator. */
export const storeTrusts = Object.freeze(['pin', 'strict'] as const);
export type StoreTrust = (typeof storeTrusts)[number];
