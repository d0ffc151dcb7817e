/**
 * What an answer promises. `local`: the commit is on the disk of the primary. `sync`: a standby has it, too. `async`: a
 * failover may lose it, and then reports it.
 */
export const durabilities = Object.freeze(['local', 'sync', 'async'] as const);
export type Durability = (typeof durabilities)[number];
