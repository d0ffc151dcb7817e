import type { Limit } from './limit.js';

/** How often a supervisor starts a host again. */
export const supervisorLimits: readonly Limit[] = [
  [
    'restarts of a host',
    '10 a minute',
    '`--max-restarts`',
    'actors/supervisor/restart-policy.ts',
    'restarts: 10,',
  ],
  [
    'hosts lost to one command',
    '3 in five minutes, then ten minutes of quarantine',
    '`--quarantine-after`',
    'ops/supervise/quarantine.ts',
    'after: 3, withinMs: 300_000, forMs: 600_000',
  ],
];
