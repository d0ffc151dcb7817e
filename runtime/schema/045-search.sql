-- Where the records of the system stream are that hold a value, so that a search does not read them all. It is filled
-- in the background, stretch by stretch, until a segment is sealed: a commit has no part in it.

-- The values of all fields but the correlation id, each as the term by which it is looked up.
CREATE TABLE svc_search_values (
  term bigint PRIMARY KEY,
  field text NOT NULL,
  -- In lower case, at most 200 characters.
  value text NOT NULL
);

-- The blocks of 128 positions of the log with a record that holds the value of a term. Different values may have one term: a
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

-- Adds the records of a range of positions to the search.
-- Lock: none.
CREATE FUNCTION svc_index_records(p_from bigint, p_to bigint) RETURNS void LANGUAGE sql AS $$
  WITH found AS (
    SELECT v.global_position / 128 AS block, f.field, f.value FROM svc_system_events v
      -- Each text is parsed once; a text that is not an object has none of them.
      CROSS JOIN LATERAL json_to_record(CASE json_typeof(v.data) WHEN 'object' THEN v.data END)
        d("userId" text, "tenantId" text, "correlationId" text)
      CROSS JOIN LATERAL json_to_record(CASE json_typeof(v.metadata) WHEN 'object' THEN v.metadata END) m(scope json, "correlationId" text)
      CROSS JOIN LATERAL (VALUES ('type', v.event_type), ('host', v.host),
        ('user', coalesce(d."userId", m.scope ->> 'userId', m.scope ->> 'apiKey')), ('tenant', coalesce(d."tenantId", m.scope ->> 'tenantId')),
        ('correlation', coalesce(d."correlationId", m."correlationId"))) f(field, value)
      WHERE v.global_position >= p_from AND v.global_position < p_to AND f.value IS NOT NULL GROUP BY 1, 2, 3),
  named AS (
    INSERT INTO svc_search_values SELECT DISTINCT ON (1) svc_search_term(field, value), field, left(lower(value), 200) FROM found
      WHERE field <> 'correlation' ON CONFLICT DO NOTHING)
  INSERT INTO svc_search_blocks SELECT DISTINCT svc_search_term(field, value), block FROM found ON CONFLICT DO NOTHING
$$;
