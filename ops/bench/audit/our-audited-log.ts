import { addSystemEvents } from '../../../actors/add-system-events-and-auditing.js';
import { newUuid } from '../../../contracts/uuid.js';
import { addService } from '../../../runtime/service/service.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import type { EventLog } from '../append/event-log.js';

/** Our store, decorated: the event and its EventAudited, chained, in one commit. */
export async function openLog(url: string): Promise<EventLog> {
  const service = addService()
    .with(postgresEventStore({ url }, 'bench'))
    .with(addSystemEvents((options) => options.enableEventAudit()));
  await service.eventStore.lastPosition(newUuid());
  return {
    append: async (streamId, { type, data, metadata }, expected) => {
      const envelope = {
        messageId: newUuid(),
        messageType: type,
        payload: data,
        streamId,
        timestamp: new Date().toISOString(),
        ...metadata,
        v: 1,
      };
      await service.eventStore.append(streamId, envelope, { expectedPosition: expected });
    },
    close: () => service.stop(),
  };
}
