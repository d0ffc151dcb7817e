-- The histories of other stores. A store that went back sends its events again from the fork on: anything we hold beyond
-- the fork no longer exists there, and what arrives now does not fit it.

-- Notes what a store signed. A later epoch, accepted before anything was signed, was forged, and so may be what came with
-- it.
-- Lock: the row of the origin.
CREATE FUNCTION svc_note_signed_epoch(known svc_origins, p_epoch int, p_forks text, p_to bigint) RETURNS svc_origins
LANGUAGE plpgsql AS $$
BEGIN
  IF (p_epoch, p_to) <= (known.signed_epoch, known.signed_to) THEN RETURN known; END IF;
  IF known.seen_to > greatest(known.signed_to, p_to) + 1000000 THEN known.seen_to := p_to; END IF;
  known.signed_epoch := p_epoch; known.signed_forks := p_forks; known.signed_to := p_to;
  IF known.epoch > p_epoch THEN
    known.epoch := p_epoch; known.seen_to := NULL;
    known.fork := (SELECT max(split_part(f, ':', 2)::bigint) FROM unnest(string_to_array(p_forks, ' ')) f);
  END IF;
  UPDATE svc_origins v SET signed_epoch = known.signed_epoch, signed_forks = known.signed_forks, signed_to = known.signed_to,
    epoch = known.epoch, fork = known.fork, seen_to = known.seen_to WHERE v.origin = known.origin;
  RETURN known;
END $$;

-- Takes groups of messages in order, each of one store and epoch; h_position = the newest, h_forks = 'epoch:fork …',
-- h_key = the key that signed epoch, forks and h_to, how far the log was published. Once a store's key is known, only
-- what it signed is accepted: a message of another epoch is treated as if it had none, and a position counts if it is not
-- too far beyond the signed one.
-- Status: 1 current, 2 held, 3 held from now on, 4 of an earlier epoch: lost there if beyond r_fork, 5 nothing received
-- from this store yet, or its key is not known yet: call again afterwards. No status: another subscriber holds the lease.
-- Lock: the rows of the origins.
CREATE FUNCTION svc_receive_epochs(p_owner uuid, h_store uuid[], h_epoch int[], h_position bigint[], h_forks text[],
  h_key bytea[], h_to bigint[], OUT r_status smallint[], OUT r_fork bigint[], OUT r_seen bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE known svc_origins; forks text; reach bigint; began bigint; of_ours bigint; of_theirs bigint; listed int; earliest int;
  status smallint; at_fork bigint;
BEGIN
  IF NOT svc_holds_lease('inbox', p_owner) THEN RETURN; END IF;
  r_status := '{}'; r_fork := '{}'; r_seen := '{}';
  FOR i IN 1 .. cardinality(h_store) LOOP
    SELECT * INTO known FROM svc_origins v WHERE v.store = h_store[i] AND v.origin <> 0 FOR UPDATE;
    status := 1; at_fork := 0; forks := h_forks[i]; reach := h_position[i];
    IF h_key[i] = known.public_key THEN known := svc_note_signed_epoch(known, h_epoch[i], h_forks[i], h_to[i]); END IF;
    IF known.public_key IS NOT NULL THEN
      forks := known.signed_forks;
      IF reach > known.signed_to + 1000000 THEN reach := 0; END IF;
    END IF;
    IF known.origin IS NULL OR known.public_key IS NULL AND h_key[i] IS NOT NULL THEN status := 5;
    ELSIF known.held_epoch IS NOT NULL THEN status := 2; at_fork := known.held_fork;
    ELSIF h_epoch[i] < known.epoch THEN status := 4; at_fork := coalesce(known.fork, known.seen_to, 0);
    ELSIF known.public_key IS NULL OR h_epoch[i] <= coalesce(known.signed_epoch, known.epoch, 1) THEN
      SELECT min(f.fork) FILTER (WHERE f.epoch > coalesce(known.epoch, h_epoch[i]) AND f.epoch <= h_epoch[i]),
          min(f.fork) FILTER (WHERE f.epoch = known.epoch), min(f.fork) FILTER (WHERE f.epoch = h_epoch[i]), count(*), min(f.epoch)
        INTO began, of_ours, of_theirs, listed, earliest
        FROM (SELECT split_part(t, ':', 1)::int AS epoch, split_part(t, ':', 2)::bigint AS fork
          FROM unnest(string_to_array(forks, ' ')) t) f;
      IF of_ours <> known.epoch_fork THEN began := least(began, of_ours); END IF;
      -- A full list omits earlier epochs: where those began is unknown.
      IF listed >= 8 AND earliest > known.epoch + 1 THEN began := 0; END IF;
      IF known.seen_to > began THEN
        status := 3; at_fork := began;
        UPDATE svc_origins v SET held_epoch = h_epoch[i], held_fork = began WHERE v.origin = known.origin;
      ELSIF h_epoch[i] IS DISTINCT FROM known.epoch OR reach > coalesce(known.seen_to, 0)
          OR coalesce(of_theirs, known.epoch_fork) IS DISTINCT FROM known.epoch_fork THEN
        UPDATE svc_origins v SET epoch = h_epoch[i], fork = coalesce(began, v.fork),
            epoch_fork = CASE WHEN v.epoch = h_epoch[i] THEN coalesce(of_theirs, v.epoch_fork) ELSE of_theirs END,
            seen_to = greatest(v.seen_to, reach) WHERE v.origin = known.origin;
      END IF;
    END IF;
    r_status := r_status || status; r_fork := r_fork || at_fork; r_seen := r_seen || coalesce(known.seen_to, 0);
  END LOOP;
END $$;

-- Releases a held store: what we have beyond the fork stays, and its messages are accepted from the held epoch on.
-- Lock: the row of the origin.
CREATE FUNCTION svc_release_origin(p_store uuid) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_origins SET epoch = least(held_epoch, signed_epoch), fork = held_fork, epoch_fork = NULL, seen_to = held_fork,
      held_epoch = NULL, held_fork = NULL
    WHERE store = p_store AND held_epoch IS NOT NULL RETURNING true
$$;
