-- Each host declares whether it broadcasts its system messages. The host that started last records its choice in the store,
-- and the command line follows the record. Running hosts are listed here, so that they notice when they differ.

CREATE TABLE svc_hosts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  broadcast boolean NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Returns the running hosts that differ, and what is recorded.
-- Lock: the row of the host.
CREATE FUNCTION svc_note_host(p_id uuid, p_name text, p_broadcast boolean, p_ms int, OUT differing text[], OUT recorded boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- A row that is lost with the server is inserted again.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_hosts SET seen_at = clock_timestamp() WHERE id = p_id;
  IF NOT FOUND THEN
    DELETE FROM svc_hosts WHERE seen_at < clock_timestamp() - interval '1 hour';
    INSERT INTO svc_hosts(id, name, broadcast, seen_at) VALUES (p_id, p_name, p_broadcast, clock_timestamp());
    UPDATE svc_store SET broadcast = p_broadcast WHERE broadcast IS DISTINCT FROM p_broadcast;
  END IF;
  SELECT coalesce(array_agg(DISTINCT h.name ORDER BY h.name), '{}') INTO differing FROM svc_hosts h
    WHERE h.broadcast <> p_broadcast
      -- A time in the future is from before the clock was set back: a host that still runs is soon seen again.
      AND h.seen_at BETWEEN clock_timestamp() - p_ms * interval '1 ms' AND clock_timestamp();
  SELECT s.broadcast INTO recorded FROM svc_store s;
END $$;

-- Removes a host that stops.
-- Lock: the row of the host.
CREATE FUNCTION svc_forget_host(p_id uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$ DELETE FROM svc_hosts WHERE id = p_id $$;

-- With the lock of the append that follows first: an append may update the row of the store, too.
-- Lock: takes that of the log.
CREATE FUNCTION svc_set_broadcast(p_broadcast boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_lock_log();
  UPDATE svc_store SET broadcast = p_broadcast
$$;
