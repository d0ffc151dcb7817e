/**
 * The order key of an event is (occurred_at, store, stream_position); late = its stream already holds a greater one.
 * What happened before it was recorded and is not late has a greater key than everything of its own store before it:
 * of those the last one is enough, and only the others need an index.
 */
export const late = /* sql */ `
CREATE INDEX IF NOT EXISTS svc_events_order ON svc_events(stream_id, occurred_at)
  WHERE origin <> 0 OR occurred_at > recorded_at;

CREATE OR REPLACE FUNCTION svc_is_late(p_stream uuid, p_at timestamptz, p_store uuid, p_position bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM (
      SELECT v.occurred_at, v.origin, v.stream_position FROM svc_events v
      WHERE v.stream_id = p_stream AND v.origin = 0 AND NOT v.late AND v.occurred_at <= v.recorded_at
      ORDER BY v.stream_position DESC LIMIT 1) own JOIN svc_origins o USING (origin)
    WHERE (own.occurred_at, o.store, own.stream_position) > (p_at, p_store, p_position)
  ) OR EXISTS (
    SELECT 1 FROM svc_events v JOIN svc_origins o USING (origin)
    WHERE v.stream_id = p_stream AND (v.origin <> 0 OR v.occurred_at > v.recorded_at) AND v.occurred_at >= p_at
      AND (v.occurred_at, o.store, v.stream_position) > (p_at, p_store, p_position))
$$;

-- Late events that perspectives have to go back for.
CREATE TABLE IF NOT EXISTS svc_rewinds (
  global_position bigint PRIMARY KEY,
  stream_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE OR REPLACE FUNCTION svc_note_late(p_global bigint, p_stream uuid, p_event uuid, p_type text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO svc_rewinds(global_position, stream_id, event_id, event_type)
    VALUES (p_global, p_stream, p_event, p_type) ON CONFLICT DO NOTHING;
END $$;
`;
