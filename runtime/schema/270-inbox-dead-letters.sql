-- Messages that cannot be accepted, as received: kept until an operator decides.

CREATE INDEX svc_dead_letter_waiting ON svc_dead_letter_records(id)
  WHERE source = 'inbox' AND state IN ('dead', 'replaying');

CREATE INDEX svc_dead_letter_doubtful ON svc_dead_letter_records(doubt)
  WHERE source = 'inbox' AND state IN ('dead', 'replaying') AND doubt IS NOT NULL;

-- The same message that cannot be taken is one dead letter, however often it comes. 10,000 are kept; of doubtful ones 1,000
-- of a kind, and 5,000 in all, so that they take no room from the others, and never make them wait.
-- Status of a letter: 1 kept, 2 known already, 3 there is no room, 4 doubtful and not kept.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_inbox_dead_letters(p_owner uuid, l_message uuid[], l_type text[], l_subject text[],
  l_error text[], l_fingerprint text[], l_headers json[], l_body bytea[], l_bytes int[], l_digest bytea[], l_doubt text[],
  OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE room int; spare int; kind text; alike int;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) THEN RETURN; END IF;
  SELECT 10000 - count(*) INTO room FROM svc_dead_letter_records WHERE source = 'inbox' AND state IN ('dead', 'replaying');
  SELECT 5000 - count(*) INTO spare FROM svc_dead_letter_records WHERE source = 'inbox' AND state IN ('dead', 'replaying') AND doubt IS NOT NULL;
  r_status := '{}';
  FOR i IN 1 .. cardinality(l_type) LOOP
    UPDATE svc_dead_letter_records d SET attempts = d.attempts + 1, last_error = l_error[i], fingerprint = l_fingerprint[i],
        dead_at = clock_timestamp(), state = CASE WHEN d.state = 'replaying' THEN 'dead' ELSE d.state END, replays = 0
      WHERE d.source = 'inbox' AND d.destination = l_subject[i] AND d.digest = l_digest[i];
    IF FOUND THEN
      r_status := r_status || 2::smallint;
      CONTINUE;
    END IF;
    IF l_doubt[i] <> kind OR kind IS NULL AND l_doubt[i] IS NOT NULL THEN
      kind := l_doubt[i];
      SELECT count(*) INTO alike FROM svc_dead_letter_records d
        WHERE d.source = 'inbox' AND d.state IN ('dead', 'replaying') AND d.doubt = kind;
    END IF;
    IF l_doubt[i] IS NOT NULL AND (least(room, spare) <= 0 OR alike >= 1000) THEN
      r_status := r_status || 4::smallint;
    ELSIF room > 0 THEN
      INSERT INTO svc_dead_letter_records(source, message_id, message_type, destination, attempts, last_error, fingerprint, dead_at, headers, body, bytes, digest, doubt)
        VALUES ('inbox', l_message[i], l_type[i], l_subject[i], 1, l_error[i], l_fingerprint[i], clock_timestamp(), l_headers[i], l_body[i], l_bytes[i], l_digest[i], l_doubt[i]);
      room := room - 1;
      IF l_doubt[i] IS NOT NULL THEN spare := spare - 1; alike := alike + 1; END IF;
      r_status := r_status || 1::smallint;
    ELSE
      r_status := r_status || 3::smallint;
    END IF;
  END LOOP;
END $$;

-- Those that are to be taken again. One that was handed out before and is still to be taken did not end.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_inbox_replays(p_owner uuid, p_limit int)
RETURNS TABLE (id bigint, destination text, headers json, body bytea, replays int)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE svc_dead_letter_records d SET replays = d.replays + 1
    WHERE EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) AND d.id = ANY(ARRAY(
      SELECT w.id FROM svc_dead_letter_records w WHERE w.state = 'replaying' AND w.source = 'inbox' ORDER BY w.id LIMIT p_limit))
    RETURNING d.id, d.destination, d.headers, d.body, d.replays
$$;

-- These were taken.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_inbox_replayed(p_ids bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE svc_dead_letter_records SET state = 'replayed', resolved_at = clock_timestamp()
    WHERE id = ANY(p_ids) AND state = 'replaying'
$$;

-- All of one kind, or whose error holds the text; of some only the beginning was kept, and those stay dead.
-- Lock: the rows of the dead letters.
CREATE FUNCTION svc_replay_dead_letters(p_fingerprint text, p_error text, p_by text, OUT replaying bigint, OUT cut bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  SELECT count(*) INTO cut FROM svc_dead_letter_records
    WHERE state = 'dead' AND bytes > length(body) AND (fingerprint = p_fingerprint OR strpos(last_error, p_error) > 0);
  UPDATE svc_dead_letter_records SET state = 'replaying', resolved_by = p_by, resolved_at = NULL
    WHERE state = 'dead' AND (bytes IS NULL OR bytes = length(body)) AND (fingerprint = p_fingerprint OR strpos(last_error, p_error) > 0);
  GET DIAGNOSTICS replaying = ROW_COUNT;
  IF replaying > 0 THEN NOTIFY svc; END IF;
END $$;
