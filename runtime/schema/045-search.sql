-- Where the records of the system stream are that hold a value, so that a search does not read them all. Hosts fill it in
-- the background: a commit has no part in it.

-- The values of all fields but the correlation id, each as the term by which it is looked up.
CREATE TABLE svc_search_values (
  term bigint,
  field text,
  -- In lower case, at most 200 characters.
  value text,
  PRIMARY KEY (term, field, value)
);

-- The blocks of 32 positions of the log with a record that holds the value of a term. Different values may have one term: a
-- search compares the records too.
CREATE TABLE svc_search_blocks (
  term bigint,
  block bigint,
  PRIMARY KEY (term, block)
);

-- The term of a value of a field, whatever its case.
-- Lock: none.
CREATE FUNCTION svc_search_term(p_field text, p_value text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(p_field || ' ' || lower(p_value), 0)
$$;

-- Adds the next whole blocks of records to the search. Returns where they end, or null when there are none or another host
-- is adding them.
-- Lock: the row of their segment.
CREATE FUNCTION svc_index_records() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE s svc_segments; upto bigint;
BEGIN
  SELECT * INTO s FROM svc_segments v WHERE v.low = (SELECT min(o.low) FROM svc_segments o WHERE o.indexed < o.high)
    FOR UPDATE SKIP LOCKED;
  -- Positions become visible in order: once the last of a block is there, all are.
  upto := least(s.indexed + 16384, s.high, (svc_head() + 1) / 32 * 32);
  IF NOT FOUND OR upto <= s.indexed THEN RETURN NULL; END IF;
  WITH found AS (
    SELECT v.global_position / 32 AS block, f.field, f.value FROM svc_system_events v
      -- Each text is parsed once; a text that is not an object has none of them.
      CROSS JOIN LATERAL json_to_record(CASE json_typeof(v.data) WHEN 'object' THEN v.data END)
        d("userId" text, "tenantId" text, "correlationId" text)
      CROSS JOIN LATERAL json_to_record(CASE json_typeof(v.metadata) WHEN 'object' THEN v.metadata END) m(scope json, "correlationId" text)
      CROSS JOIN LATERAL (VALUES ('type', v.event_type), ('host', v.host),
        ('user', coalesce(d."userId", m.scope ->> 'userId', m.scope ->> 'apiKey')), ('tenant', coalesce(d."tenantId", m.scope ->> 'tenantId')),
        ('correlation', coalesce(d."correlationId", m."correlationId"))) f(field, value)
      WHERE v.global_position >= s.indexed AND v.global_position < upto AND f.value IS NOT NULL GROUP BY 1, 2, 3),
  named AS (
    INSERT INTO svc_search_values SELECT DISTINCT svc_search_term(field, value), field, left(lower(value), 200) FROM found
      WHERE field <> 'correlation' ON CONFLICT DO NOTHING)
  INSERT INTO svc_search_blocks SELECT DISTINCT svc_search_term(field, value), block FROM found ON CONFLICT DO NOTHING;
  UPDATE svc_segments SET indexed = upto WHERE low = s.low;
  RETURN upto;
END $$;
