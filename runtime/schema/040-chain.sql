-- The chain of the system stream. The digest of a record covers every column except its positions, time and id; its hash
-- covers those, the digest and the hash before it. Both are computed here, so that no host can make one up.

-- The digest of a record's content.
-- Lock: none.
CREATE FUNCTION svc_digest(p_type text, p_data text, p_meta text, p_host text, p_publish boolean) RETURNS bytea
LANGUAGE sql STABLE AS $$
  -- The lengths come first, so that no text can pass for part of its neighbor.
  SELECT sha256(int4send(octet_length(p_type)) || int4send(octet_length(p_data)) || int4send(octet_length(p_meta))
    || int4send(octet_length(p_host)) || boolsend(p_publish) || convert_to(p_type || p_data || p_meta || p_host, 'UTF8'))
$$;

-- The hash of a record, given the one before it. The verifier computes the same.
-- Lock: none.
CREATE FUNCTION svc_chain_hash(p_before bytea, p_position bigint, p_global bigint, p_original bigint, p_at timestamptz,
  p_id uuid, p_digest bytea) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(p_before || int8send(p_position) || int8send(p_global) || int8send(coalesce(p_original, 0))
    || timestamptz_send(p_at) || uuid_send(p_id) || p_digest)
$$;
