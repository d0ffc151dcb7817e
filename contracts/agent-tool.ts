import type { Permission } from './permission.js';
import type { Duration } from './scalars.js';

/** Who must agree before a command of an agent runs. */
export interface ApprovalRule {
  /** What the person who decides needs. */
  readonly by: Permission;
  /** How long they may take; default P1D, at most P30D. */
  readonly within?: Duration;
}

/** How agents call a command as a tool. */
export interface AgentTool {
  /** By default the name of the command in snake case: `place_order`. */
  readonly name?: string;
  /** It removes something, or cannot be undone: clients ask their user. True unless said otherwise. */
  readonly destructive?: boolean;
  /** How often one caller may call it in a minute, on each host; default 30. */
  readonly perMinute?: number;
  /** A person with this permission, other than the caller, must agree before it runs. */
  readonly approval?: Permission | ApprovalRule;
}

/** How agents read a perspective: as the tools `orders_list` and `orders_get`. */
export interface AgentRead {
  /** The first part of the names of the tools; by default the route in snake case. */
  readonly name?: string;
  /** The fields of the row that agents see, and may filter and sort by; all without it. */
  readonly fields?: readonly string[];
  /** The most rows in one answer, at most 100; default 50. */
  readonly rows?: number;
}
