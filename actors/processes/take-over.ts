import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import type { StoredProcess } from '../../contracts/reaction-store.js';
import { jsonFault } from './json-fault.js';
import { restored } from './macrostep.js';
import { isAfter } from './pending-timers.js';
import type { Process, ProcessSnapshot } from './process.js';

/** A running instance, and the machine with which it continues. */
interface Resumed {
  readonly machine: AnyStateMachine;
  /** That of the machine. */
  readonly version: number;
  readonly snapshot: AnyMachineSnapshot;
  /** As it was stored, or as it was migrated. */
  readonly stored: ProcessSnapshot;
}

/** Restores an instance that this version or an earlier one has stored. */
export function resume(process: Process, row: StoredProcess): Resumed {
  const { machine, version, older } = process;
  const stored = row.snapshot as unknown as ProcessSnapshot;
  const same = row.version === version ? machine : older?.[row.version];
  if (same !== undefined) return restoredBy({ process, machine: same, version: row.version, row }, stored);
  const taken = { process, machine, version, row };
  const resumed = restoredBy(taken, process.migrate === undefined ? stored : migrated(process, stored, row));
  for (const [sendId, { type }] of Object.entries(resumed.stored.timers)) {
    if (!takes(resumed, sendId, type)) {
      throw cannotGoOn(process, row, `its timer ${sendId} is unknown in the state where it waits`);
    }
  }
  for (const id of Object.keys(resumed.stored.effects ?? {})) {
    if (!resumed.machine.events.includes(`xstate.done.actor.${id}`))
      throw cannotGoOn(process, row, `its invoke ${id} is unknown in the state where it waits`);
  }
  return resumed;
}

interface Restoring {
  readonly process: Process;
  readonly machine: AnyStateMachine;
  readonly version: number;
  readonly row: StoredProcess;
}

function restoredBy({ process, machine, version, row }: Restoring, stored: ProcessSnapshot): Resumed {
  const { value, context, historyValue } = stored;
  const state = JSON.stringify(value);
  let snapshot: AnyMachineSnapshot;
  try {
    snapshot = restored(machine, { value, context: structuredClone(context), historyValue }, stored.effects);
    mustKnowHistory(machine, historyValue);
  } catch (cause) {
    throw cannotGoOn(process, row, `its state ${state} is not one of the machine`, cause);
  }
  // A state that has got children or regions since: they would be entered without their actions and timers.
  if (isDeepStrictEqual(snapshot.value, value)) return { machine, version, snapshot, stored };
  throw cannotGoOn(process, row, `its state ${state} has changed in the machine`);
}

function migrated(process: Process, stored: ProcessSnapshot, row: StoredProcess): ProcessSnapshot {
  const result = process.migrate?.(structuredClone(stored), row.version);
  const fault = jsonFault(result, 'the migrated snapshot');
  if (fault !== undefined) throw cannotGoOn(process, row, fault);
  return { ...stored, ...result };
}

interface HistoryEntry {
  readonly id: string;
}

/** XState forgets a state of the history that is gone; this throws. */
function mustKnowHistory(machine: AnyStateMachine, history: unknown): void {
  const entries = Object.entries((history ?? {}) as Readonly<Record<string, readonly HistoryEntry[]>>);
  for (const [id, nodes] of entries) for (const each of [{ id }, ...nodes]) machine.getStateNodeById(each.id);
}

/** XState ignores an event that nobody knows: the timer would be lost in silence. */
function takes({ machine, snapshot }: Resumed, sendId: string, type: string): boolean {
  if (!isAfter(sendId)) return machine.events.includes(type);
  const { _nodes: nodes } = snapshot as { readonly _nodes: readonly AnyStateNode[] };
  return nodes.some(({ transitions }) => transitions.has(sendId));
}

function cannotGoOn(process: Process, row: StoredProcess, why: string, cause?: unknown): Problem {
  const { name, version } = process;
  const remedy =
    row.version === version
      ? 'raise the version whenever the machine changes'
      : process.migrate === undefined
        ? `add older: { ${row.version}: machine } or migrate()`
        : 'migrate() must change it';
  const detail = `${name} of version ${row.version} cannot continue with version ${version}: ${why}; ${remedy}.`;
  return new Problem('process-version', { detail, cause });
}
