-- How hosts share out the partitions of reactions and processes.

-- One question per host and turn: it is alive, keeps its leases, takes free ones up to its share, or gives one back.
-- Lock: the rows of its cursors, by name.
CREATE FUNCTION svc_worker_turn(p_owner uuid, p_host text, p_version text, p_names text[], p_share int, p_ms int)
RETURNS TABLE(name text, held boolean, remaining_ms int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  mine int;
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO svc_workers AS w (owner, host, version) VALUES (p_owner::text, p_host, p_version)
    ON CONFLICT (owner) DO UPDATE SET seen_at = clock_timestamp(), version = excluded.version;
  DELETE FROM svc_workers w WHERE w.seen_at NOT BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() + interval '1 minute';
  INSERT INTO svc_cursors(name) SELECT n FROM unnest(p_names) n
    WHERE NOT EXISTS (SELECT 1 FROM svc_cursors c WHERE c.name = n) ORDER BY n ON CONFLICT DO NOTHING;
  UPDATE svc_cursors c SET lease_until = clock_timestamp() + p_ms * interval '1 ms'
    FROM (SELECT k.name FROM svc_cursors k WHERE k.name = ANY(p_names) AND k.owner = p_owner ORDER BY k.name FOR UPDATE) k
    WHERE c.name = k.name;
  GET DIAGNOSTICS mine = ROW_COUNT;
  IF mine > p_share THEN
    PERFORM svc_release_lease((SELECT c.name FROM svc_cursors c WHERE c.name = ANY(p_names) AND c.owner = p_owner ORDER BY hashtext(c.name) DESC LIMIT 1), p_owner);
  -- By their hashes, so that no host gets all cursors of one kind.
  ELSIF mine < p_share THEN
    UPDATE svc_cursors c SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
      FROM (SELECT k.name FROM svc_cursors k WHERE k.name = ANY(p_names) AND k.owner IS DISTINCT FROM p_owner
        AND svc_lease_is_over(k.lease_until, p_ms) ORDER BY hashtext(k.name) LIMIT p_share - mine FOR UPDATE SKIP LOCKED) k
      WHERE c.name = k.name;
  END IF;
  RETURN QUERY SELECT c.name, c.owner IS NOT DISTINCT FROM p_owner, svc_lease_remaining_ms(c.lease_until)
    FROM svc_cursors c WHERE c.name = ANY(p_names);
END $$;

-- Gives back all leases of a host that stops.
-- Lock: the rows of its cursors.
CREATE FUNCTION svc_worker_left(p_owner uuid, p_names text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM svc_workers w WHERE w.owner = p_owner::text;
  PERFORM svc_release_lease(n, p_owner) FROM unnest(p_names) n;
END $$;
