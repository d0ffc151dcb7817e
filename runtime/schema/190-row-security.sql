-- Row-level security of perspectives: a statement that forgets the tenant sees only rows without one. Owners are
-- exempt, so the functions that write models, and rebuilds, see all rows.

-- Rows of every tenant, which folding events needs.
-- Lock: none.
CREATE FUNCTION svc_models(p_table text, p_keys text[])
RETURNS TABLE(id text, model text, tenant text, "position" bigint, applied int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF p_table !~ '^svc_(new_)?per_[a-z0-9_]+$' THEN RAISE EXCEPTION '% is not the table of a perspective', p_table; END IF;
  -- With its schema: a view of this name in pg_temp would call functions of its maker with the rights of the owner.
  RETURN QUERY EXECUTE format('SELECT id, model::text, tenant, position, applied FROM %I.%I WHERE id = ANY($1)', current_schema(), p_table)
    USING p_keys;
END $$;

-- The newest snapshot of a key, or the newest before an order key.
-- Lock: none.
CREATE FUNCTION svc_snapshot(p_table text, p_key text, p_at bigint, p_store uuid, p_position bigint)
RETURNS TABLE(model text, tenant text, global_position bigint, applied int, at bigint, store uuid, stream_position bigint, event_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF p_table !~ '^svc_(new_)?snap_[a-z0-9_]+$' THEN RAISE EXCEPTION '% holds no snapshots', p_table; END IF;
  RETURN QUERY EXECUTE format('SELECT model::text, tenant, global_position, applied, at, store, stream_position, event_id FROM %I.%I
    WHERE key = $1 AND ($2 IS NULL OR (at, store, stream_position) < ($2, $3, $4))
    ORDER BY at DESC, store DESC, stream_position DESC LIMIT 1', current_schema(), p_table) USING p_key, p_at, p_store, p_position;
END $$;
