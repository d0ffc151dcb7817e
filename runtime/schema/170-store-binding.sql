-- A store id is bound to the database it was made in: a copy has the same id and would publish under it. The identifier
-- of a cluster is the same on its standbys, and survives a promotion.

-- The identifier of the cluster; null where a hosting provider hides it: then only a copy in the same cluster is noticed.
-- Lock: none.
CREATE FUNCTION svc_cluster() RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT system_identifier::text FROM pg_control_system());
EXCEPTION WHEN insufficient_privilege THEN RETURN NULL;
END $$;

-- The id of this database within its cluster.
-- Lock: none.
CREATE FUNCTION svc_database_oid() RETURNS oid LANGUAGE sql STABLE AS $$
  SELECT d.oid FROM pg_database d WHERE d.datname = current_database()
$$;

UPDATE svc_store SET cluster = svc_cluster(), database_oid = svc_database_oid();

-- Records the namespace of the first host with a broker; returns the recorded one.
-- Lock: the row of the store.
CREATE FUNCTION svc_record_namespace(p_namespace text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_store SET namespace = p_namespace WHERE namespace IS NULL;
  -- Streams of another namespace were created at another time and have lost nothing.
  IF FOUND THEN UPDATE svc_broker SET streams = '{}'; END IF;
  RETURN (SELECT namespace FROM svc_store);
END $$;

-- Whether this is the database the store was made in.
-- Lock: none.
CREATE FUNCTION svc_store_is_bound() RETURNS boolean LANGUAGE sql AS $$
  SELECT coalesce(database_oid = svc_database_oid(), true) AND coalesce(cluster = svc_cluster(), true) FROM svc_store
$$;

-- For the owner only. A copy gets its own id, sends nothing that its original has sent or will send, and receives nothing
-- twice; p_moved = the original is gone, and this store replaces it.
-- Lock: takes the log lock.
CREATE FUNCTION svc_adopt_store(p_moved boolean, OUT id uuid, OUT id_was uuid)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE head bigint;
BEGIN
  PERFORM svc_lock_log();
  SELECT s.id INTO id_was FROM svc_store s;
  id := CASE WHEN p_moved THEN id_was ELSE gen_random_uuid() END;
  UPDATE svc_store s SET id = svc_adopt_store.id, cluster = svc_cluster(), database_oid = svc_database_oid();
  UPDATE svc_leases SET owner = NULL, lease_until = '-infinity';
  IF p_moved THEN RETURN; END IF;
  UPDATE svc_origins SET store = svc_adopt_store.id WHERE origin = 0;
  INSERT INTO svc_origins(origin, store, first_seen, is_original)
    SELECT max(origin) + 1, id_was, clock_timestamp(), true FROM svc_origins;
  head := svc_head();
  UPDATE svc_progress SET position = head WHERE name = 'outbox';
  UPDATE svc_broker SET republish_to = 0;
  -- A copy may publish in another namespace, or at another broker. With its original's key it could sign as the original; a
  -- host makes a new one.
  UPDATE svc_store SET namespace = NULL, public_key = NULL;
  DELETE FROM svc_store_private_key;
  DELETE FROM svc_key_rotations WHERE origin = 0;
  DELETE FROM svc_stuck_work w WHERE w.follower = 'outbox' AND w.id IS NULL;
  UPDATE svc_stuck_work SET state = 'discarded', resolved_at = clock_timestamp(), reason = 'left to the original of this copy'
    WHERE follower = 'outbox' AND state IN ('retrying', 'parked');
  -- The original calls other systems for them; an operator may release those that this copy has to do itself.
  UPDATE svc_timers SET parked = true, due_at = clock_timestamp(), claimed_by = NULL,
      error = 'effect-left: left to the original of this copy' WHERE kind = 'effect' AND NOT parked;
END $$;
