-- Who runs what: perspectives, the partitions of reactions, processes and timers, the relay and the subscriber. A lease says
-- who should run something. Only the fence of each write says who may: the epoch of a cursor, or where its position is.
-- Nothing waits for the row of a lease: a session that holds one for long costs that lease, and no other.

CREATE TABLE svc_leases (
  name text PRIMARY KEY,
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
INSERT INTO svc_leases(name) VALUES ('outbox'), ('inbox');

-- The hosts that run, which share out the leases.
CREATE TABLE svc_hosts (
  -- The owner of its leases.
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  -- The leases that it could have.
  names text[] NOT NULL,
  -- Whether it broadcasts its system messages; null: it does not say.
  broadcast boolean,
  -- All its sessions share an advisory lock: when nobody has it, the host has ended.
  is_marked boolean NOT NULL DEFAULT false,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- A lease that would last for far longer than any is given was taken before the clock was set back: it is void. Taking it
-- from an owner that lives does no harm, as every write has its fence.
-- Lock: none.
CREATE FUNCTION svc_lease_is_over(p_until timestamptz, p_ms int) RETURNS boolean LANGUAGE sql AS $$
  SELECT p_until <= clock_timestamp() OR p_until > clock_timestamp() + greatest(p_ms * 2, 40000) * interval '1 ms'
$$;

-- Far and infinite times are compared first: PostgreSQL 15 and 16 cannot subtract an infinite one.
-- Lock: none.
CREATE FUNCTION svc_lease_remaining_ms(p_until timestamptz) RETURNS int LANGUAGE sql AS $$
  SELECT CASE WHEN p_until <= clock_timestamp() THEN 0
    WHEN p_until > clock_timestamp() + interval '24 days' THEN 2147483647
    ELSE greatest(0, ceil(extract(epoch FROM p_until - clock_timestamp()) * 1000))::int END
$$;

-- Whether this host has the lease.
-- Lock: none.
CREATE FUNCTION svc_holds_lease(p_name text, p_owner uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT 1 FROM svc_leases l WHERE l.name = p_name AND l.owner = p_owner)
$$;

-- Prolongs a lease that this host has, unless another session holds its row.
-- Lock: the row of the lease.
CREATE FUNCTION svc_keep_lease(p_name text, p_owner uuid, p_ms int) RETURNS void LANGUAGE sql AS $$
  UPDATE svc_leases l SET lease_until = clock_timestamp() + p_ms * interval '1 ms'
    WHERE l.name = (SELECT k.name FROM svc_leases k WHERE k.name = p_name AND k.owner = p_owner FOR UPDATE SKIP LOCKED)
$$;

-- Takes or keeps one lease; says whether it is held.
-- Lock: the row of the lease.
CREATE FUNCTION svc_take_lease(p_name text, p_owner uuid, p_ms int, OUT held boolean, OUT remaining_ms int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_leases l SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
    WHERE l.name = (SELECT k.name FROM svc_leases k WHERE k.name = p_name
      AND (k.owner = p_owner OR svc_lease_is_over(k.lease_until, p_ms)) FOR UPDATE SKIP LOCKED);
  SELECT l.owner IS NOT DISTINCT FROM p_owner, svc_lease_remaining_ms(l.lease_until) INTO held, remaining_ms
    FROM svc_leases l WHERE l.name = p_name;
END $$;

-- Gives a lease back, so that another host takes it at once.
-- Lock: the row of the lease.
CREATE FUNCTION svc_release_lease(p_name text, p_owner uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_leases l SET owner = NULL, lease_until = '-infinity'
    WHERE l.name = (SELECT k.name FROM svc_leases k WHERE k.name = p_name AND k.owner = p_owner FOR UPDATE SKIP LOCKED)
$$;

-- Gives back the leases of hosts without a session: they were killed, and can store nothing anymore. Those of relay and
-- subscriber end by themselves: the store has no fence for what is sent to the broker. After a restart of the server, hosts
-- that run have no session for a moment, too.
-- Lock: the rows of these hosts and of their leases; it waits for none.
CREATE FUNCTION svc_end_hosts(p_ms int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE ended uuid[];
BEGIN
  IF pg_postmaster_start_time() > clock_timestamp() - p_ms * interval '1 ms' THEN RETURN; END IF;
  ended := ARRAY(SELECT h.id FROM svc_hosts h WHERE h.is_marked
    AND pg_try_advisory_xact_lock(hashtextextended('svc host ' || h.id, 0)) FOR UPDATE SKIP LOCKED);
  PERFORM svc_release_lease(l.name, l.owner) FROM svc_leases l WHERE l.owner = ANY(ended) AND l.name NOT IN ('outbox', 'inbox');
  DELETE FROM svc_hosts h WHERE h.id = ANY(ended);
END $$;

-- Each host calls this once per turn: it reports that it is alive, renews its leases, and in each group takes free ones up to
-- its share, or gives one back. p_groups has the group of each name, counted from 1, and p_shares how many leases of a group the host may have.
-- A lease that has run out stays with its owner until another host takes it, which none can while its row is locked.
-- Lock: the row of the host, and those of its leases; it waits for no lease.
CREATE FUNCTION svc_turn(p_owner uuid, p_host text, p_version text, p_broadcast boolean, p_marked boolean, p_names text[], p_groups int[], p_shares int[], p_ms int)
RETURNS TABLE(name text, held boolean, remaining_ms int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE ours text[]; room int;
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One that has just started may be the successor of a host that was killed.
  IF NOT EXISTS (SELECT 1 FROM svc_hosts h WHERE h.id = p_owner) THEN PERFORM svc_end_hosts(p_ms); END IF;
  INSERT INTO svc_hosts(id, name, version, names, broadcast, is_marked) VALUES (p_owner, p_host, p_version, p_names, p_broadcast, p_marked)
    ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), version = excluded.version, names = excluded.names;
  DELETE FROM svc_hosts h WHERE h.id IN (SELECT k.id FROM svc_hosts k
    WHERE k.seen_at NOT BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() + interval '1 minute' FOR UPDATE SKIP LOCKED);
  INSERT INTO svc_leases(name) SELECT n FROM unnest(p_names) n
    WHERE NOT EXISTS (SELECT 1 FROM svc_leases l WHERE l.name = n) ORDER BY n ON CONFLICT DO NOTHING;
  UPDATE svc_leases l SET lease_until = clock_timestamp() + p_ms * interval '1 ms' WHERE l.name = ANY(ARRAY(
    SELECT k.name FROM svc_leases k WHERE k.name = ANY(p_names) AND k.owner = p_owner FOR UPDATE SKIP LOCKED));
  FOR i IN 1 .. cardinality(p_shares) LOOP
    ours := ARRAY(SELECT n FROM unnest(p_names, p_groups) AS u(n, g) WHERE g = i);
    room := p_shares[i] - (SELECT count(*) FROM svc_leases l WHERE l.name = ANY(ours) AND l.owner = p_owner);
    IF room < 0 THEN
      PERFORM svc_release_lease((SELECT l.name FROM svc_leases l WHERE l.name = ANY(ours) AND l.owner = p_owner
        ORDER BY hashtext(l.name) DESC LIMIT 1), p_owner);
    -- By their hashes, so that no host gets all partitions of one reaction.
    ELSIF room > 0 THEN
      UPDATE svc_leases l SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
        WHERE l.name = ANY(ARRAY(SELECT k.name FROM svc_leases k WHERE k.name = ANY(ours) AND k.owner IS DISTINCT FROM p_owner
          AND svc_lease_is_over(k.lease_until, p_ms) ORDER BY hashtext(k.name) LIMIT room FOR UPDATE SKIP LOCKED));
    END IF;
  END LOOP;
  RETURN QUERY SELECT l.name, l.owner IS NOT DISTINCT FROM p_owner, svc_lease_remaining_ms(l.lease_until)
    FROM svc_leases l WHERE l.name = ANY(p_names);
END $$;

-- Gives back leases of a host that stops running what they are for. Without names left, it is no longer a host.
-- Lock: the rows of the leases.
CREATE FUNCTION svc_leave(p_owner uuid, p_names text[], p_left text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_hosts h SET names = p_left WHERE h.id = p_owner;
  DELETE FROM svc_hosts h WHERE h.id = p_owner AND p_left = '{}';
  SELECT svc_release_lease(n, p_owner) FROM unnest(p_names) n
$$;
