import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import type { StoredProcess } from '../../contracts/reaction-store.js';
import { jsonFault } from './json-fault.js';
import { restored } from './macrostep.js';
import { isAfter } from './pending-timers.js';
import type { Process, ProcessSnapshot } from './process.js';

/** A running instance, and the machine that it goes on with. */
export interface Resumed {
  readonly machine: AnyStateMachine;
  /** That of the machine. */
  readonly version: number;
  readonly snapshot: AnyMachineSnapshot;
  /** As it was stored, or as it was migrated. */
  readonly stored: ProcessSnapshot;
}

/** Restores an instance that this version or an earlier one has stored. */
export function resume(process: Process, row: StoredProcess): Resumed {
  const stored = row.snapshot as unknown as ProcessSnapshot;
  if (row.version === process.version) return resumed(process, process.machine, row.version, stored);
  const older = process.older?.[row.version];
  if (older !== undefined) return resumed(process, older, row.version, stored);
  const { machine, version } = process;
  const taken = resumed(
    process,
    machine,
    version,
    process.migrate === undefined ? stored : migrated(process, stored, row),
  );
  for (const [sendId, { type }] of Object.entries(taken.stored.timers)) {
    if (!takes(taken, sendId, type)) {
      throw cannotGoOn(process, row.version, `its timer ${sendId} is unknown in the state where it waits`);
    }
  }
  return taken;
}

function resumed(
  process: Process,
  machine: AnyStateMachine,
  version: number,
  stored: ProcessSnapshot,
): Resumed {
  const { value, context, historyValue } = stored;
  try {
    const snapshot = restored(machine, { value, context: structuredClone(context), historyValue });
    // A state that has got children or regions since: they would be entered without their actions and timers.
    if (isDeepStrictEqual(snapshot.value, value) && knowsHistory(machine, historyValue)) {
      return { machine, version, snapshot, stored };
    }
  } catch (cause) {
    throw cannotGoOn(process, version, `its state ${JSON.stringify(value)} is not one of the machine`, cause);
  }
  throw cannotGoOn(process, version, `its state ${JSON.stringify(value)} has changed in the machine`);
}

function migrated(process: Process, stored: ProcessSnapshot, { version }: StoredProcess): ProcessSnapshot {
  const result = process.migrate?.(structuredClone(stored), version);
  const fault = jsonFault(result, 'the migrated snapshot');
  if (fault !== undefined) throw cannotGoOn(process, version, fault);
  return { ...stored, ...result };
}

interface HistoryEntry {
  readonly id: string;
}

/** XState forgets a state of the history that is gone. */
const knowsHistory = (machine: AnyStateMachine, history: unknown): boolean =>
  Object.entries((history ?? {}) as Readonly<Record<string, readonly HistoryEntry[]>>)
    .flatMap(([id, entries]) => [id, ...entries.map((entry) => entry.id)])
    .every((id) => machine.getStateNodeById(id).id === id);

/** XState ignores an event that nobody knows: the timer would be lost in silence. */
function takes({ machine, snapshot }: Resumed, sendId: string, type: string): boolean {
  if (!isAfter(sendId)) return machine.events.includes(type);
  return (snapshot._nodes as readonly AnyStateNode[]).some(({ transitions }) => transitions.has(sendId));
}

const cannotGoOn = ({ name, version }: Process, from: number, why: string, cause?: unknown): Problem =>
  new Problem('process-version', {
    detail: `${name} of version ${from} cannot go on with version ${version}: ${why}; add older: { ${from}: machine } or migrate().`,
    cause,
  });
