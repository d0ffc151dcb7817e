import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InstanceDetail, ProcessesPage, TimersPage } from '../../model/processes.js';
import { read, reasonOf } from '../parts/api.js';
import { chosenHost, filters, openItem, openPosition } from '../parts/navigation.js';
import { useRepeatedly } from '../parts/repeated-read.js';

/** What was read last; it stays when the next read fails, and `failure` says so. */
export const processesPage = signal<ProcessesPage | undefined>(undefined);
export const timersPage = signal<TimersPage | undefined>(undefined);
export const detail = signal<InstanceDetail | undefined>(undefined);
export const failure = signal('');
/** Why the instance that is open is not shown. */
export const detailFailure = signal('');

/** How many instances are listed. */
export const listed = signal(20);
export const mostListed = 200;

/** Reads what the panel shows again and again while it is open. */
export function useProcesses(): void {
  const { status, state, key } = filters.value;
  // The newest instances of all processes may be of others than the one that is shown.
  const name = openItem.value || processesPage.value?.processes[0]?.name;
  const limit = String(listed.value);
  useEffect(() => {
    processesPage.value = timersPage.value = undefined;
  }, [chosenHost.value]);
  useRepeatedly(
    async (stopped) => {
      try {
        const [page, timers] = await Promise.all([
          read<ProcessesPage>('processes', { name, state, status, key, limit }, stopped),
          read<TimersPage>('timers', {}, stopped),
        ]);
        processesPage.value = withKnownMachines(page);
        timersPage.value = timers;
        failure.value = '';
      } catch (error) {
        if (!stopped.aborted) failure.value = reasonOf(error);
      }
    },
    [chosenHost.value, name, state, status, key, limit],
  );
}

/** Reads one instance again and again. */
export function useInstance(): void {
  const [name, key] = [openItem.value, openPosition.value];
  useEffect(() => {
    detail.value = undefined;
    detailFailure.value = '';
  }, [chosenHost.value, name, key]);
  useRepeatedly(
    async (stopped) => {
      try {
        detail.value = await read<InstanceDetail>(
          `processes/${encodeURIComponent(name)}/${encodeURIComponent(key)}`,
          {},
          stopped,
        );
        detailFailure.value = '';
      } catch (error) {
        if (!stopped.aborted) detailFailure.value = reasonOf(error);
      }
    },
    [chosenHost.value, name, key],
  );
}

/** A machine that has not changed stays the same object, so that its chart is not laid out again. */
function withKnownMachines(page: ProcessesPage): ProcessesPage {
  const known = processesPage.value?.processes ?? [];
  const processes = page.processes.map((one) => {
    const before = known.find(({ name }) => name === one.name)?.machine;
    const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(one.machine);
    return isSame ? { ...one, machine: before } : one;
  });
  return { ...page, processes };
}
