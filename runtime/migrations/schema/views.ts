export const views = /* sql */ `
CREATE OR REPLACE VIEW svc_event_stream AS
SELECT global_position, stream_id, stream_position, event_id, event_type, data::jsonb AS data,
  metadata ->> 'correlationId' AS correlation_id, metadata ->> 'causationId' AS causation_id,
  metadata -> 'scope' ->> 'tenantId' AS tenant_id, metadata -> 'scope' ->> 'userId' AS user_id,
  host, occurred_at, recorded_at
FROM svc_events;

CREATE OR REPLACE VIEW svc_system_stream AS
SELECT stream_position, event_id, event_type,
  CASE WHEN original_position IS NULL THEN data::jsonb
    ELSE data::jsonb || jsonb_build_object('originalStreamPosition', original_position) END AS data,
  host, recorded_at
FROM svc_system_events;
`;
