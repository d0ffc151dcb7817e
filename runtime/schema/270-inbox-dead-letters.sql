-- Messages that cannot be accepted, as received: kept until an operator decides.

-- A message that cannot be accepted is one dead letter, however often it arrives. 10,000 are kept; of doubtful ones 1,000
-- of a kind and 5,000 in all, so that they leave room for the others and never make them wait.
-- Status of a letter: 1 kept, 2 already known, 3 no room, 4 doubtful and not kept.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_inbox_dead_letters(p_owner uuid, l_message uuid[], l_type text[], l_subject text[],
  l_error text[], l_fingerprint text[], l_headers json[], l_body bytea[], l_bytes int[], l_digest bytea[], l_tenant text[], l_doubt text[],
  OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE room int; spare int; kind text; alike int; letter_key text; status smallint;
BEGIN
  IF NOT svc_holds_lease('inbox', p_owner) THEN RETURN; END IF;
  SELECT 10000 - count(*) INTO room FROM svc_stuck_work WHERE follower = 'inbox' AND id IS NOT NULL AND state IN ('retrying', 'parked');
  SELECT 5000 - count(*) INTO spare FROM svc_stuck_work WHERE doubt IS NOT NULL AND state IN ('retrying', 'parked');
  r_status := '{}';
  FOR i IN 1 .. cardinality(l_type) LOOP
    IF l_doubt[i] IS DISTINCT FROM kind THEN
      kind := l_doubt[i];
      SELECT count(*) INTO alike FROM svc_stuck_work d WHERE d.doubt = kind AND d.state IN ('retrying', 'parked');
    END IF;
    letter_key := l_subject[i] || ' ' || encode(l_digest[i], 'hex');
    -- Its replay is over: now it is a new dead letter.
    DELETE FROM svc_stuck_work d WHERE d.follower = 'inbox' AND d.key = letter_key AND d.state = 'replayed';
    UPDATE svc_stuck_work d SET attempts = d.attempts + 1, error = l_error[i], fingerprint = l_fingerprint[i],
        since = clock_timestamp(), state = CASE WHEN d.state = 'retrying' THEN 'parked' ELSE d.state END, replays = 0
      WHERE d.follower = 'inbox' AND d.key = letter_key;
    status := CASE WHEN FOUND THEN 2
      WHEN kind IS NOT NULL AND (least(room, spare) <= 0 OR alike >= 1000) THEN 4
      WHEN room <= 0 THEN 3 ELSE 1 END;
    r_status := r_status || status;
    CONTINUE WHEN status <> 1;
    INSERT INTO svc_stuck_work(follower, key, state, attempts, error, fingerprint, id, message_id, message_type, destination, headers, body, bytes, tenant, doubt)
      VALUES ('inbox', letter_key, 'parked', 1, l_error[i], l_fingerprint[i], nextval('svc_dead_letter_ids'), l_message[i], l_type[i],
        l_subject[i], l_headers[i], l_body[i], l_bytes[i], l_tenant[i], l_doubt[i]);
    room := room - 1;
    IF kind IS NOT NULL THEN spare := spare - 1; alike := alike + 1; END IF;
  END LOOP;
END $$;

-- Returns the dead letters to replay. One that was returned before and is still here never finished.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_inbox_replays(p_owner uuid, p_limit int)
RETURNS TABLE (id bigint, destination text, headers json, body bytea, replays int)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE svc_stuck_work d SET replays = d.replays + 1
    WHERE svc_holds_lease('inbox', p_owner) AND d.id = ANY(ARRAY(
      SELECT w.id FROM svc_stuck_work w WHERE w.follower = 'inbox' AND w.state = 'retrying' AND w.id IS NOT NULL ORDER BY w.id LIMIT p_limit))
    RETURNING d.id, d.destination, d.headers, d.body, d.replays
$$;
