import { fileURLToPath } from 'node:url';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import {
  applicationItems,
  type ApplicationItems,
  readSqlFiles,
} from '../../runtime/migrations/application-migrations.js';
import { perspectiveItems } from '../../runtime/migrations/perspective-items.js';
import { serviceSourceOf } from '../service/load-service.js';

/** The application's part of the batch: its SQL files and the tables of its perspectives. */
export async function migrationItemsOf(
  definition: ServiceDefinition,
  registry: Registry,
): Promise<ApplicationItems> {
  const source = serviceSourceOf(definition);
  const folder = migrationFolderOf(definition) ?? source?.migrations;
  const files = folder === undefined ? [] : await readSqlFiles(folder);
  const own = applicationItems(files, definition.version ?? source?.version ?? null);
  return { ...own, items: [...own.items, ...perspectiveItems(registry.perspectives ?? [])] };
}

export function migrationFolderOf({ migrations }: ServiceDefinition): string | undefined {
  const isUrl = migrations instanceof URL || migrations?.startsWith('file:') === true;
  return isUrl ? fileURLToPath(migrations) : migrations;
}
