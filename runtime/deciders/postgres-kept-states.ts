import type { Database } from '../database/database.js';
import type { KeptStates } from './kept-states.js';

/** Kept states in PostgreSQL. */
export const postgresKeptStates = (database: Pick<Database, 'rows'>): KeptStates => ({
  find: async ({ decider, version, streamId }) => {
    const [row] = await database.rows({
      name: 'svc_state',
      text: 'SELECT position, event_id, state FROM svc_states WHERE decider = $1 AND version = $2 AND stream_id = $3',
      values: [decider, version, streamId],
    });
    const [position, eventId, state] = row ?? [];
    return position && eventId && state ? { position: Number(position), eventId, state } : undefined;
  },
  keep: async ({ decider, version, streamId }, { position, eventId, state }) => {
    await database.rows({
      text: 'SELECT svc_keep_state($1, $2, $3, $4, $5, $6)',
      values: [decider, version, streamId, position, eventId, state],
    });
  },
});
