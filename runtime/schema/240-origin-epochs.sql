-- The histories of other stores. One that went back sends its events again from the fork on: if we hold something beyond
-- it, that no longer exists there, and what comes now does not fit.

-- An epoch beyond the signed one was believed before anything was signed: it was forged, and so may be what came with it.
-- Lock: the row of the origin.
CREATE FUNCTION svc_note_signed_epoch(o svc_origins, p_epoch int, p_forks text, p_to bigint) RETURNS svc_origins
LANGUAGE plpgsql AS $$
BEGIN
  IF (p_epoch, p_to) <= (o.signed_epoch, o.signed_to) THEN RETURN o; END IF;
  IF o.seen_to > greatest(o.signed_to, p_to) + 1000000 THEN o.seen_to := p_to; END IF;
  o.signed_epoch := p_epoch; o.signed_forks := p_forks; o.signed_to := p_to;
  IF o.epoch > p_epoch THEN
    o.epoch := p_epoch; o.seen_to := NULL;
    o.fork := (SELECT max(split_part(f, ':', 2)::bigint) FROM unnest(string_to_array(p_forks, ' ')) f);
  END IF;
  UPDATE svc_origins v SET signed_epoch = o.signed_epoch, signed_forks = o.signed_forks, signed_to = o.signed_to,
    epoch = o.epoch, fork = o.fork, seen_to = o.seen_to WHERE v.origin = o.origin;
  RETURN o;
END $$;

-- Groups of messages in their order, each of one store and epoch; h_position = the newest, h_forks = 'epoch:fork …',
-- h_key = the key that has signed these two and how far the log was published. Of a store whose key is known, only what it
-- has signed is believed: a message of another epoch is taken as if it had none, and a position counts that is not too far
-- beyond the signed one.
-- Status: 1 current, 2 held, 3 held from now on, 4 of an earlier epoch: lost there if beyond r_fork, 5 nothing was received
-- from this store yet, or its key is not known yet: call again when it was. No status: another subscriber holds the lease.
-- Lock: the rows of the origins.
CREATE FUNCTION svc_receive_epochs(p_owner uuid, h_store uuid[], h_epoch int[], h_position bigint[], h_forks text[],
  h_key bytea[], h_to bigint[], OUT r_status smallint[], OUT r_fork bigint[], OUT r_seen bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE o svc_origins; forks text; reach bigint; began bigint; of_ours bigint; of_theirs bigint; listed int; earliest int;
  st smallint; at_fork bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) THEN RETURN; END IF;
  r_status := '{}'; r_fork := '{}'; r_seen := '{}';
  FOR i IN 1 .. cardinality(h_store) LOOP
    SELECT * INTO o FROM svc_origins v WHERE v.store = h_store[i] AND v.origin <> 0 FOR UPDATE;
    st := 1; at_fork := 0; forks := h_forks[i]; reach := h_position[i];
    IF h_key[i] = o.public_key THEN o := svc_note_signed_epoch(o, h_epoch[i], h_forks[i], h_to[i]); END IF;
    IF o.public_key IS NOT NULL THEN
      forks := o.signed_forks;
      IF reach > o.signed_to + 1000000 THEN reach := 0; END IF;
    END IF;
    IF o.origin IS NULL OR o.public_key IS NULL AND h_key[i] IS NOT NULL THEN st := 5;
    ELSIF o.held_epoch IS NOT NULL THEN st := 2; at_fork := o.held_fork;
    ELSIF h_epoch[i] < o.epoch THEN st := 4; at_fork := coalesce(o.fork, o.seen_to, 0);
    ELSIF o.public_key IS NULL OR h_epoch[i] <= coalesce(o.signed_epoch, o.epoch, 1) THEN
      SELECT min(f.fork) FILTER (WHERE f.epoch > coalesce(o.epoch, h_epoch[i]) AND f.epoch <= h_epoch[i]),
          min(f.fork) FILTER (WHERE f.epoch = o.epoch), min(f.fork) FILTER (WHERE f.epoch = h_epoch[i]), count(*), min(f.epoch)
        INTO began, of_ours, of_theirs, listed, earliest
        FROM (SELECT split_part(t, ':', 1)::int AS epoch, split_part(t, ':', 2)::bigint AS fork
          FROM unnest(string_to_array(forks, ' ')) t) f;
      IF of_ours <> o.epoch_fork THEN began := least(began, of_ours); END IF;
      -- A full list leaves earlier ones out: where those began is not known.
      IF listed >= 8 AND earliest > o.epoch + 1 THEN began := 0; END IF;
      IF o.seen_to > began THEN
        st := 3; at_fork := began;
        UPDATE svc_origins v SET held_epoch = h_epoch[i], held_fork = began WHERE v.origin = o.origin;
      ELSIF h_epoch[i] IS DISTINCT FROM o.epoch OR reach > coalesce(o.seen_to, 0)
          OR coalesce(of_theirs, o.epoch_fork) IS DISTINCT FROM o.epoch_fork THEN
        UPDATE svc_origins v SET epoch = h_epoch[i], fork = coalesce(began, v.fork),
            epoch_fork = CASE WHEN v.epoch = h_epoch[i] THEN coalesce(of_theirs, v.epoch_fork) ELSE of_theirs END,
            seen_to = greatest(v.seen_to, reach) WHERE v.origin = o.origin;
      END IF;
    END IF;
    r_status := r_status || st; r_fork := r_fork || at_fork; r_seen := r_seen || coalesce(o.seen_to, 0);
  END LOOP;
END $$;

-- What we hold beyond the fork stays; from now on the store is believed from its held epoch on.
-- Lock: the row of the origin.
CREATE FUNCTION svc_release_origin(p_store uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_origins SET epoch = least(held_epoch, signed_epoch), fork = held_fork, epoch_fork = NULL, seen_to = held_fork,
      held_epoch = NULL, held_fork = NULL
    WHERE store = p_store AND held_epoch IS NOT NULL;
  RETURN FOUND;
END $$;
