import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { loadService } from './load-service.js';
import { stopApplication } from './stop-application.js';

/** Loads an application for a command; afterwards it closes what it has opened. */
export async function withApplication<T>(
  app: string,
  body: (definition: ServiceDefinition) => Promise<T>,
): Promise<T> {
  const definition = await loadService(app);
  try {
    return await body(definition);
  } finally {
    await stopApplication(definition);
  }
}
