import { fileURLToPath } from 'node:url';
import type { Registry, ServiceDefinition } from '../endpoints/registry.js';
import { systemRecord } from '../runtime/audit/system-record.js';
import { log } from '../runtime/log.js';
import {
  applicationItems,
  type ApplicationItems,
  readSqlFiles,
} from '../runtime/migrations/application-items.js';
import type { BatchOutcome } from '../runtime/migrations/batch.js';
import type { Service, ServiceParts } from '../runtime/service.js';
import { placeOf } from './application.js';

/** What the application brings to the batch: its SQL files, and the tables of its perspectives. */
export async function itemsOf(definition: ServiceDefinition, _registry: Registry): Promise<ApplicationItems> {
  const place = placeOf(definition);
  const folder = folderOf(definition) ?? place?.migrations;
  const files = folder === undefined ? [] : await readSqlFiles(folder);
  return applicationItems(files, definition.version ?? place?.version ?? null);
}

export function folderOf({ migrations }: ServiceDefinition): string | undefined {
  const isUrl = migrations instanceof URL || migrations?.startsWith('file:') === true;
  return isUrl ? fileURLToPath(migrations) : migrations;
}

const patienceMs = 10_000;

/** Stores, in one commit, what the batch had to tell before there was a store; a batch that failed ends the start here. */
export async function tellBatch({ parts }: Service, { events, failure }: BatchOutcome): Promise<void> {
  try {
    await storeEvents(parts, events);
  } catch (error) {
    // Without its own schema a store can keep nothing; the failure itself says more.
    if (failure === undefined) throw error;
    log.warn({ err: error }, 'the migration events could not be stored');
  }
  if (failure !== undefined) throw failure;
}

async function storeEvents(parts: ServiceParts, events: BatchOutcome['events']): Promise<void> {
  if (!parts.systemEventsRegistered || parts.unitStore === undefined) return;
  const records = events.map((event) => systemRecord(event, {}, parts.policy));
  const unit = { events: [], records, expected: new Map() };
  await parts.unitStore.commit(unit, AbortSignal.timeout(patienceMs));
  parts.hooks.committed(records);
}
