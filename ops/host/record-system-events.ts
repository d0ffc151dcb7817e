import type { SystemMessageContext } from '../../contracts/system-event-emitter.js';
import { type SystemMessage, systemMessageCategoryOf } from '../../contracts/system-messages.js';
import { buildHookFailed } from '../../runtime/audit/build-failure-events.js';
import { log } from '../../runtime/logging/log.js';
import type { Service } from '../../runtime/service/service.js';

export type RecordSystemEvent = (message: SystemMessage, context?: SystemMessageContext) => Promise<void>;

/** Records a system event; if that fails, only the log has it. */
export function systemEventRecorder(service: Service): RecordSystemEvent {
  const report = (message: SystemMessage, context?: SystemMessageContext): Promise<void> =>
    service.emitter
      .emit(message, undefined, undefined, context)
      .catch((err: unknown) =>
        log.error({ err, type: message.constructor.name }, 'a system event could not be recorded'),
      );
  service.parts.hooks.reports = {
    large: (tag, bytes) => log.warn({ tag, bytes }, 'the payload of a system event hook is large'),
    failed: (tag, error) => {
      log.error({ tag, err: error }, 'a system event hook failed');
      const failed = buildHookFailed(tag, undefined, error);
      // A hook that fails on an error event would fail again on the report of its own failure, forever.
      if (failed !== undefined && !isErrorEvent(tag)) void report(failed);
    },
  };
  return report;
}

const isErrorEvent = (tag: string): boolean => systemMessageCategoryOf(tag) === 'error';
