-- Reads a page of a perspective. It runs as the owner and applies the tenant itself: under row-level security the planner
-- neither estimates the rows of a tenant nor uses an index for a comparison that is not leakproof, such as one of
-- numbers. Everything that becomes SQL here is quoted or from a fixed list.

-- One condition as SQL.
-- Lock: none.
CREATE FUNCTION svc_row_condition(p_condition jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  name text := p_condition ->> 'column';
  type text := p_condition ->> 'type';
  list text[] := ARRAY(SELECT jsonb_array_elements_text(p_condition -> 'values'));
BEGIN
  IF type IS NULL OR type NOT IN ('text', 'uuid', 'integer', 'bigint', 'numeric', 'boolean', 'timestamptz') THEN
    RAISE EXCEPTION '% is not the type of a column', type;
  END IF;
  CASE p_condition ->> 'is'
    WHEN 'in' THEN
      IF cardinality(list) = 1 THEN RETURN format('%I = %L::%s', name, list[1], type); END IF;
      RETURN format('%I = ANY(%L::%s[])', name, list, type);
    WHEN 'gte', 'gt', 'lte', 'lt' THEN
      RETURN format('%I %s %L::%s', name, '{"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}'::jsonb ->> (p_condition ->> 'is'), list[1], type);
    WHEN 'contains' THEN
      RETURN (SELECT format('(%s)', coalesce(string_agg(format('%I ILIKE %L', name, pattern), ' OR '), 'false')) FROM unnest(list) pattern);
    WHEN 'null' THEN RETURN format('%I IS NULL', name);
    WHEN 'present' THEN RETURN format('%I IS NOT NULL', name);
  END CASE;
END $$;

-- Conditions as SQL, joined by AND; null if there are none.
-- Lock: none.
CREATE FUNCTION svc_row_conditions(p_conditions jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(svc_row_condition(one), ' AND ') FROM jsonb_array_elements(p_conditions) one
$$;

-- The sort order, starting with columns that are null in all rows: the planner treats an equal value as constant, but not
-- a null.
-- Lock: none.
CREATE FUNCTION svc_row_order(p_part jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(', ', 'tenant' || way,
    (SELECT string_agg(format('%I%s', one ->> 'column', way), ', ') FROM jsonb_array_elements(p_part -> 'where') one WHERE one ->> 'is' = 'null'),
    (SELECT string_agg(format('%I%s', one ->> 'column', CASE WHEN NOT (one ->> 'descending')::boolean THEN ''
      WHEN (one ->> 'isNullable')::boolean THEN ' DESC NULLS LAST' ELSE ' DESC' END), ', ' ORDER BY n)
      FROM jsonb_array_elements(p_part -> 'order') WITH ORDINALITY k(one, n)))
  FROM (SELECT CASE WHEN (p_part #>> '{order,0,descending}')::boolean THEN ' DESC' ELSE '' END) first(way)
$$;

-- The columns of a page's cursor, as SQL.
-- Lock: none.
CREATE FUNCTION svc_row_key(p_keys jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('json_build_array(%s)::text', string_agg(format(
    CASE WHEN one ->> 'type' = 'timestamptz' THEN 'to_json(r.%I) #>> ''{}''' ELSE 'r.%I::text' END, one ->> 'column'), ', ' ORDER BY n))
  FROM jsonb_array_elements(p_keys) WITH ORDINALITY k(one, n)
$$;

-- The rows of a tenant that a query selects, in any order; without a tenant, those that have none.
-- Lock: none.
CREATE FUNCTION svc_selected_rows(p_from text, p_query jsonb, p_tenant text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE own text := nullif(p_tenant, '');
BEGIN
  IF p_from !~ '^svc_per_[a-z0-9_]+$' THEN RAISE EXCEPTION '% is not the table of a perspective', p_from; END IF;
  -- With its schema, as in svc_models.
  RETURN format('FROM %I.%I WHERE %s', current_schema(), p_from, concat_ws(' AND ',
    CASE WHEN own IS NULL THEN 'tenant IS NULL' ELSE format('tenant = %L', own) END, svc_row_conditions(p_query -> 'filters')));
END $$;

-- The statement for one part of a page.
-- Lock: none.
CREATE FUNCTION svc_page_statement(p_selected text, p_query jsonb, p_part jsonb, p_limit bigint, p_offset bigint)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('SELECT coalesce(array_agg(r.model::text), ''{}''), coalesce(array_agg(%s), ''{}'')
    FROM (SELECT * %s ORDER BY %s LIMIT %s OFFSET %s) r', svc_row_key(p_query -> 'keys'),
    concat_ws(' AND ', p_selected, svc_row_conditions(p_part -> 'where')), svc_row_order(p_part), p_limit, p_offset)
$$;

-- A page of rows of a tenant with the keys of its cursor, whether there are more, and how many there are.
-- Lock: none.
CREATE FUNCTION svc_read_rows(p_from text, p_query jsonb, p_tenant text)
RETURNS TABLE(models text, keys text, has_more boolean, total bigint, is_exact boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET jit = off AS $$
DECLARE
  page int := (p_query ->> 'limit')::int;
  first bigint := (p_query ->> 'offset')::bigint;
  skip bigint := first;
  counted int := (p_query ->> 'counted')::int;
  selected text := svc_selected_rows(p_from, p_query, p_tenant);
  part jsonb;
  part_models text[];
  part_keys text[];
  found_models text[] := '{}';
  found_keys text[] := '{}';
  proven bigint;
  plan json;
BEGIN
  FOR part IN SELECT jsonb_array_elements(p_query -> 'segments') LOOP
    -- One extra row shows whether there is a next page.
    EXECUTE svc_page_statement(selected, p_query, part, page + 1 - cardinality(found_models), skip) INTO part_models, part_keys;
    found_models := found_models || part_models;
    found_keys := found_keys || part_keys;
    EXIT WHEN cardinality(found_models) > page;
    IF cardinality(part_models) > 0 THEN skip := 0; END IF;
    IF skip > 0 THEN
      EXECUTE concat_ws(' AND ', 'SELECT count(*) ' || selected, svc_row_conditions(part -> 'where')) INTO total;
      skip := greatest(skip - total, 0);
    END IF;
  END LOOP;
  has_more := cardinality(found_models) > page;
  models := '[' || array_to_string(found_models[:page], ', ') || ']';
  keys := '[' || array_to_string(found_keys[:page], ', ') || ']';
  -- An empty page beyond the end proves nothing.
  proven := CASE WHEN cardinality(found_models) > 0 THEN first + cardinality(found_models) ELSE 0 END;
  total := proven;
  is_exact := NOT has_more AND (p_query ->> 'isWhole')::boolean AND (first = 0 OR cardinality(found_models) > 0);
  IF NOT is_exact AND p_query ->> 'count' = 'exact' THEN
    EXECUTE 'SELECT count(*) ' || selected INTO total;
    is_exact := true;
  ELSIF NOT is_exact AND p_query ->> 'count' = 'bounded' THEN
    EXECUTE format('SELECT count(*) FROM (SELECT 1 %s LIMIT %s) n', selected, counted + 1) INTO total;
    is_exact := total <= counted;
    IF NOT is_exact THEN
      EXECUTE 'EXPLAIN (FORMAT JSON) SELECT 1 ' || selected INTO plan;
      total := greatest(total, proven, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint);
    END IF;
  END IF;
  RETURN NEXT;
END $$;
