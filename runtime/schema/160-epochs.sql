-- The histories of a store. A promoted server begins an epoch; fork is the last position it had then. Events from
-- fork + 1 to lost_to were acknowledged before that and are lost. A loss counts once it is accepted: automatically, or by
-- an operator where two copies were promised.

CREATE TABLE svc_epochs (
  epoch int PRIMARY KEY,
  timeline text NOT NULL,
  fork bigint NOT NULL,
  lost_to bigint,
  -- The host that had seen lost_to.
  witness text,
  accepted_to bigint,
  reported_to bigint,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The timeline of the server, which changes with every promotion.
-- Lock: none.
CREATE FUNCTION svc_timeline() RETURNS text LANGUAGE sql AS $$
  SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
$$;

INSERT INTO svc_epochs(epoch, timeline, fork) VALUES (1, svc_timeline(), 0);

-- Begins an epoch, at least the one after p_least, with this fork; returns it.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_begin_epoch(p_least int, p_fork bigint) RETURNS int LANGUAGE sql AS $$
  -- What hosts consider settled may be lost, so each takes its cursors again.
  UPDATE svc_progress g SET epoch = svc_next_epoch(g.epoch) WHERE g.name ~ '^(reaction|process)/';
  INSERT INTO svc_epochs(epoch, timeline, fork)
    SELECT greatest(max(e.epoch), p_least) + 1, svc_timeline(), p_fork FROM svc_epochs e RETURNING epoch
$$;

-- Whether the server still has the timeline of the last epoch.
-- Lock: none.
CREATE FUNCTION svc_epoch_is_current() RETURNS boolean LANGUAGE sql AS $$
  SELECT e.timeline = svc_timeline() FROM svc_epochs e ORDER BY e.epoch DESC LIMIT 1
$$;

-- Compares what a host has seen (w_), and in which epoch, with the log; runs on every new connection. Null on a standby:
-- what it lacks may still arrive. r_lost = some of it is missing, r_fresh = this was not known before.
-- Lock: takes the log lock when something is missing or the timeline is new.
CREATE FUNCTION svc_new_epoch(w_epoch int[], w_position bigint[], w_event uuid[], p_host text, p_accepts boolean,
  OUT r_epoch int, OUT r_lost boolean, OUT r_fresh boolean, OUT r_refused boolean, OUT r_unreported boolean,
  OUT r_lost_epoch int, OUT r_fork bigint, OUT r_lost_to bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE lost int[]; i int; head bigint; found_epoch int; shown int;
BEGIN
  IF pg_is_in_recovery() THEN RETURN; END IF;
  r_fresh := false;
  lost := ARRAY(SELECT n FROM generate_subscripts(w_position, 1) n WHERE NOT svc_holds_event(w_position[n], w_event[n])
    ORDER BY w_epoch[n], w_position[n]);
  r_lost := lost <> '{}';
  IF r_lost OR NOT svc_epoch_is_current() THEN
    -- The standby of this server may not exist yet, and a refusal must not wait for it.
    PERFORM set_config('synchronous_commit', 'local', true);
    PERFORM svc_lock_log();
    head := svc_head();
    IF NOT svc_epoch_is_current() THEN PERFORM svc_begin_epoch(0, head); END IF;
    FOREACH i IN ARRAY lost LOOP
      -- It was lost when the first epoch after the one that saw it began; a disk that was set back begins none by itself.
      SELECT min(e.epoch) INTO found_epoch FROM svc_epochs e WHERE e.epoch > w_epoch[i];
      found_epoch := coalesce(found_epoch, svc_begin_epoch(w_epoch[i], least(head, w_position[i] - 1)));
      UPDATE svc_epochs e SET fork = least(e.fork, w_position[i] - 1), lost_to = greatest(e.lost_to, w_position[i]), witness = p_host,
          accepted_to = CASE WHEN p_accepts THEN greatest(e.lost_to, w_position[i]) ELSE e.accepted_to END
        WHERE e.epoch = found_epoch AND (e.lost_to IS NULL OR e.lost_to < w_position[i] OR e.fork >= w_position[i]);
      IF FOUND THEN r_fresh := true; shown := found_epoch; END IF;
    END LOOP;
  END IF;
  SELECT max(e.epoch), max(e.epoch) FILTER (WHERE e.lost_to > coalesce(e.accepted_to, 0)) IS NOT NULL,
      bool_or(e.lost_to > coalesce(e.reported_to, 0) AND e.lost_to <= e.accepted_to) IS TRUE,
      coalesce(max(e.epoch) FILTER (WHERE e.lost_to > coalesce(e.accepted_to, 0)), shown)
    INTO r_epoch, r_refused, r_unreported, shown FROM svc_epochs e;
  SELECT e.epoch, e.fork, e.lost_to INTO r_lost_epoch, r_fork, r_lost_to FROM svc_epochs e WHERE e.epoch = shown;
END $$;

-- Returns each accepted loss once; the same transaction records it in the chain. It takes the lock of that append first,
-- as svc_new_epoch does: otherwise each could wait for the other.
-- Lock: takes the log lock.
CREATE FUNCTION svc_unreported_losses()
RETURNS TABLE (epoch int, fork bigint, lost_to bigint, witness text)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_lock_log();
  UPDATE svc_epochs e SET reported_to = e.lost_to WHERE e.lost_to > coalesce(e.reported_to, 0) AND e.lost_to <= e.accepted_to
    RETURNING e.epoch, e.fork, e.lost_to, e.witness
$$;

-- Accepts every pending loss for an operator; returns them.
-- Lock: takes the log lock.
CREATE FUNCTION svc_accept_loss() RETURNS TABLE (epoch int, fork bigint, lost_to bigint)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_lock_log();
  UPDATE svc_epochs e SET accepted_to = e.lost_to WHERE e.lost_to > coalesce(e.accepted_to, 0)
    RETURNING e.epoch, e.fork, e.lost_to
$$;
