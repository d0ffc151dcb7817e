import { hash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HealthCheck } from '../../contracts/health.js';
import type { QuarantinedCommand } from '../commands/quarantined-commands.js';
import { healthy } from './healthy-or-degraded.js';

/** A command that blocked the event loop repeatedly is refused; the others are served. */
export const quarantineCheck = (
  list: () => readonly Pick<QuarantinedCommand, 'command' | 'key'>[],
): HealthCheck => ({
  name: 'commands',
  tags: ['commands'],
  periodMs: 1_000,
  check: () => {
    const names = list().map(({ command, key }) => (key === undefined ? command : `${command} (key ${key})`));
    if (names.length === 0) return healthy;
    return { status: 'Degraded', detail: `In quarantine: ${names.join(', ')}.` };
  },
});

/** Which tools agents are given: their texts change what a model does, so a change of them is worth a look. */
export function toolsCheck(tools: string): HealthCheck {
  const { length } = JSON.parse(tools) as readonly unknown[];
  const detail = `${length} tools of agents, sha256 ${hash('sha256', tools).slice(0, 16)}`;
  return { name: 'agent_tools', tags: ['agents'], check: () => ({ ...healthy, detail }) };
}

/** How late the event loop runs due work, measured between two checks. */
export function eventLoopCheck(degradedAboveMs = 250): HealthCheck & { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    name: 'event_loop',
    tags: ['process'],
    periodMs: 2_000,
    check: () => {
      const lateMs = delay.percentile(99) / 1e6;
      delay.reset();
      if (!(lateMs > degradedAboveMs)) return healthy;
      return { status: 'Degraded', detail: `The event loop is ${Math.round(lateMs)} ms late (p99).` };
    },
    stop: () => void delay.disable(),
  };
}
