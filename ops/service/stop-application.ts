import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { log } from '../../runtime/logging/log.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';

const stopWithinMs = 3_000;

/** Lets an application close what it has opened; a failure is logged and holds nothing up. */
export async function stopApplication(
  definition: Pick<ServiceDefinition, 'stop'>,
  withinMs = stopWithinMs,
): Promise<void> {
  try {
    await withTimeout(withinMs, Promise.resolve(definition.stop?.()));
  } catch (err) {
    log.error({ err }, 'the application failed to stop');
  }
}
