-- The key pair with which a store signs. PostgreSQL has no Ed25519, so the first host makes it. Only the function reads
-- the private key, which is not here at all when hosts get it from their environment.

CREATE TABLE svc_store_private_key (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  seed bytea NOT NULL CHECK (octet_length(seed) = 32)
);
REVOKE ALL ON svc_store_private_key FROM PUBLIC;

-- Keeps the first key offered, and returns the kept one; without a seed, nothing private is kept.
-- Lock: the row of the store.
CREATE FUNCTION svc_keep_store_key(p_public bytea, p_seed bytea,
  OUT store uuid, OUT public_key bytea, OUT seed bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Hosts that start together wait here, and the second finds the key of the first.
  UPDATE svc_store v SET public_key = p_public WHERE v.public_key IS NULL;
  IF FOUND AND p_seed IS NOT NULL THEN
    INSERT INTO svc_store_private_key(seed) VALUES (p_seed)
      ON CONFLICT (single) DO UPDATE SET seed = excluded.seed;
  END IF;
  SELECT v.id, v.public_key, k.seed INTO store, public_key, seed
    FROM svc_store v LEFT JOIN svc_store_private_key k ON true;
END $$;
