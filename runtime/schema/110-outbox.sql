-- The outbox is the log: a cursor moves over what is marked for publishing, and only failures get rows.
-- Positions have no gaps, so a page is a range of positions, and the cursor also passes what is not marked.

INSERT INTO svc_progress(name) VALUES ('outbox');

-- What the relay and the subscriber know of the broker.
CREATE TABLE svc_broker (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Up to this position the relay also sends system events that are not marked for publishing, because an operator
  -- republished them.
  republish_to bigint NOT NULL DEFAULT 0,
  -- When the broker created each stream that is read. One that was created again has lost its messages.
  streams jsonb NOT NULL DEFAULT '{}'
);
INSERT INTO svc_broker DEFAULT VALUES;

-- The subject of a message at the broker, in the default namespace.
-- Lock: none.
CREATE FUNCTION svc_destination(event_type text, system boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN NOT system THEN 'svc.events.' || event_type
    WHEN event_type IN ('EventAudited', 'CommandAudited') THEN 'svc.core.auditevents'
    ELSE 'svc.system.' || event_type END
$$;

CREATE VIEW svc_outbox_pending AS
SELECT m.global_position, svc_destination(m.event_type, m.system) AS destination, m.event_id, m.event_type, m.host,
  coalesce(w.attempts, 0) AS attempts, m.recorded_at
FROM (
  SELECT global_position, false AS system, event_id, event_type, host, recorded_at FROM svc_events WHERE origin = 0 AND publish
  UNION ALL
  SELECT global_position, true, event_id, event_type, host, recorded_at FROM svc_system_events
    WHERE publish OR global_position <= (SELECT b.republish_to FROM svc_broker b)
) m LEFT JOIN svc_stuck_work w ON w.follower = 'outbox' AND w.key = m.global_position::text AND w.state <> 'replayed'
WHERE w.id IS NULL AND m.global_position > (SELECT p.position FROM svc_progress p WHERE p.name = 'outbox');

CREATE VIEW svc_dead_letters AS
SELECT id, message_id, message_type, destination, attempts, error AS last_error, fingerprint, since AS dead_at,
  CASE state WHEN 'parked' THEN 'dead' ELSE 'replaying' END AS state, position AS global_position, follower AS source
FROM svc_stuck_work WHERE id IS NOT NULL AND state IN ('retrying', 'parked');

-- Moves the relay on if it is where the caller thinks and the lease is held; false otherwise.
-- Lock: the rows of the progress, the lease and the messages that are behind it.
CREATE FUNCTION svc_advance_outbox(p_owner uuid, p_from bigint, p_to bigint, p_ms int)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  -- An advance that is lost with the server repeats messages and skips none.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_progress SET position = p_to
    WHERE name = 'outbox' AND position = p_from AND p_to >= p_from AND svc_holds_lease('outbox', p_owner);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM svc_keep_lease('outbox', p_owner, p_ms);
  DELETE FROM svc_stuck_work WHERE follower = 'outbox' AND id IS NULL AND position <= p_to;
  RETURN true;
END $$;

-- One question per turn of the relay: its lease, its position, the head of the log, and whether a replay waits.
-- Lock: the row of the lease.
CREATE FUNCTION svc_outbox_turn(p_owner uuid, p_ms int,
  OUT held boolean, OUT at_position bigint, OUT remaining_ms int, OUT head bigint, OUT replays boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  SELECT l.held, l.remaining_ms INTO held, remaining_ms FROM svc_take_lease('outbox', p_owner, p_ms) l;
  SELECT (SELECT p.position FROM svc_progress p WHERE p.name = 'outbox'), svc_head(),
      EXISTS (SELECT 1 FROM svc_stuck_work w WHERE w.follower = 'outbox' AND w.state = 'retrying' AND w.id IS NOT NULL)
    INTO at_position, head, replays;
  -- Nothing is published that only one disk holds: with something to send, this commit waits for the standby. Only a
  -- transaction that has written waits, and the row of the lease may have been left alone.
  IF held AND head > at_position THEN
    SET LOCAL synchronous_commit TO DEFAULT;
    PERFORM pg_logical_emit_message(true, 'svc_outbox', '');
  END IF;
END $$;

-- Sets the relay back, so that everything from p_from on goes out once more; whoever relays notices by its compare-and-set.
-- Nothing is moved, and messages is null, where the relay has not come that far.
-- Lock: the rows of the progress and the broker.
CREATE FUNCTION svc_outbox_republish(p_from bigint, OUT cursor_was bigint, OUT messages bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  SELECT p.position INTO cursor_was FROM svc_progress p WHERE p.name = 'outbox' FOR UPDATE;
  IF p_from < 1 OR p_from > cursor_was THEN RETURN; END IF;
  -- A store that broadcasts leaves no gaps: system events from the time when it did not are sent, too. The greater position
  -- stays, as the relay may not have passed the last republish yet.
  UPDATE svc_progress p SET position = p_from - 1 WHERE p.name = 'outbox';
  UPDATE svc_broker b SET republish_to = cursor_was WHERE b.republish_to < cursor_was AND (SELECT s.broadcast FROM svc_store s);
  SELECT count(*) INTO messages FROM svc_outbox_pending p WHERE p.global_position <= cursor_was;
END $$;

-- Records that the broker refused a message, and when it is sent again; null without the lease, or when the message is a
-- dead letter. One that was replayed, and is sent once more, starts over.
-- Lock: the row of the message.
CREATE FUNCTION svc_outbox_refused(p_owner uuid, p_position bigint, p_error text, p_again_ms int)
RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_stuck_work AS w (follower, key, position, state, attempts, next_attempt_at, error)
    SELECT 'outbox', p_position::text, p_position, 'retrying', 1, clock_timestamp() + p_again_ms * interval '1 ms', p_error
      WHERE svc_holds_lease('outbox', p_owner)
    ON CONFLICT (follower, key) DO UPDATE SET id = NULL, state = 'retrying', next_attempt_at = excluded.next_attempt_at, error = excluded.error,
      attempts = CASE WHEN w.id IS NULL THEN w.attempts + 1 ELSE 1 END, since = CASE WHEN w.id IS NULL THEN w.since ELSE excluded.since END,
      fingerprint = NULL, resolved_at = NULL, resolved_by = NULL, reason = NULL
      WHERE w.id IS NULL OR w.state = 'replayed'
    RETURNING true
$$;

-- A dead letter that is refused again when replayed is the same dead letter.
-- Lock: the row of the dead letter.
CREATE FUNCTION svc_outbox_dead_letter(p_owner uuid, p_position bigint, p_attempts int, p_error text, p_fingerprint text)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
  INSERT INTO svc_stuck_work AS w (follower, key, position, state, attempts, error, fingerprint, id, message_id, message_type, destination)
    SELECT 'outbox', p_position::text, p_position, 'parked', p_attempts, p_error, p_fingerprint, nextval('svc_dead_letter_ids'),
      m.event_id, m.event_type, svc_destination(m.event_type, m.system)
    FROM (
      SELECT event_id, event_type, false AS system FROM svc_events WHERE global_position = p_position
      UNION ALL
      SELECT event_id, event_type, true FROM svc_system_events WHERE global_position = p_position
    ) m WHERE svc_holds_lease('outbox', p_owner)
    ON CONFLICT (follower, key) DO UPDATE SET (state, since, attempts, next_attempt_at, error, fingerprint, id, message_id, message_type, destination) =
      (excluded.state, excluded.since, excluded.attempts, NULL, excluded.error, excluded.fingerprint, coalesce(w.id, excluded.id),
        excluded.message_id, excluded.message_type, excluded.destination)
      WHERE w.state <> 'discarded'
    RETURNING w.id
$$;

-- Moves dead letters to another state, those that may get there; returns how they are named in svc_stuck. A received
-- one that is settled loses its body and headers, and keeps its row: a message that was discarded may come again.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_resolve_dead_letters(p_ids bigint[], p_state text, p_by text, p_reason text) RETURNS text[]
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH changed AS (
    UPDATE svc_stuck_work w SET state = p_state, resolved_by = coalesce(p_by, w.resolved_by), reason = coalesce(p_reason, w.reason),
        resolved_at = CASE WHEN p_state <> 'retrying' THEN clock_timestamp() END,
        headers = CASE WHEN p_state = 'retrying' THEN w.headers END, body = CASE WHEN p_state = 'retrying' THEN w.body END
      WHERE w.id = ANY(p_ids) AND (p_state, w.state) IN
          (('retrying', 'parked'), ('replayed', 'retrying'), ('discarded', 'parked'), ('discarded', 'retrying'))
        -- Of some only the beginning was kept.
        AND (p_state <> 'retrying' OR w.bytes IS NULL OR w.bytes = length(w.body))
      RETURNING w.follower || '/dead-letter@' || w.id AS name)
  SELECT coalesce(array_agg(c.name), '{}') FROM changed c
$$;
