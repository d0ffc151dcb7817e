import { signal } from '@preact/signals';
import { type Operation, operationsIn } from '../../model/copy-request.js';

/** The operations of the service, once they are loaded. */
export const operations = signal<readonly Operation[] | undefined>(undefined);

export async function loadOperations(): Promise<void> {
  if (operations.value !== undefined) return;
  try {
    const response = await fetch(new URL('openapi.json', document.baseURI));
    operations.value = response.ok ? operationsIn((await response.json()) as object) : [];
  } catch {
    operations.value = [];
  }
}
