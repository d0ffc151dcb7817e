-- The two logs as people read them.

CREATE VIEW svc_event_stream AS
SELECT global_position, stream_id, stream_position, event_id, event_type, data::jsonb AS data,
  metadata ->> 'correlationId' AS correlation_id, metadata ->> 'causationId' AS causation_id,
  metadata -> 'scope' ->> 'tenantId' AS tenant_id, metadata -> 'scope' ->> 'userId' AS user_id,
  host, occurred_at, recorded_at, imported
FROM svc_events;

CREATE VIEW svc_system_stream AS
SELECT stream_position, event_id, event_type,
  data::jsonb
    || CASE WHEN original_position IS NULL THEN '{}' ELSE jsonb_build_object('originalStreamPosition', original_position) END
    -- The time of an audit is when it was recorded.
    || CASE WHEN event_type NOT IN ('EventAudited', 'CommandAudited') THEN '{}' ELSE jsonb_build_object('timestamp',
      svc_iso_time(recorded_at)) END AS data,
  host, recorded_at
FROM svc_system_events;
