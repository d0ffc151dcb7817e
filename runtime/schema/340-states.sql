-- Decider states: a cache, which may be emptied, so that a host need not read a long stream from its beginning.

CREATE TABLE svc_states (
  decider text,
  stream_id uuid,
  version integer,
  position bigint NOT NULL,
  -- The event at that position: a different one there means that the store went back.
  event_id uuid NOT NULL,
  state json NOT NULL CHECK (octet_length(state::text) <= 65536),
  PRIMARY KEY (decider, stream_id, version)
);

-- Keeps the state of a decider, and removes those of earlier versions.
-- Lock: the row of the state.
CREATE FUNCTION svc_keep_state(p_decider text, p_version integer, p_stream uuid, p_position bigint, p_event uuid, p_state json)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  -- Also replaces one with a higher position, which may date from before the store went back.
  INSERT INTO svc_states(decider, stream_id, version, position, event_id, state)
    VALUES (p_decider, p_stream, p_version, p_position, p_event, p_state)
    ON CONFLICT (decider, stream_id, version) DO UPDATE SET (position, event_id, state) = (excluded.position, excluded.event_id, excluded.state);
  DELETE FROM svc_states WHERE decider = p_decider AND stream_id = p_stream AND version < p_version
$$;
