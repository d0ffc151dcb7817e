-- The move of a store to a database on another server, by svc store move. Rows are copied by logical replication; then all
-- writers wait until the other database has everything, and continue there.

-- What the move has come to, in both databases; empty in a store that was never moved.
CREATE TABLE svc_move (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Of the database that is left: copying, then moved, once the other one decides. Of the other one: joining, until it is
  -- the store.
  state text NOT NULL CHECK (state IN ('copying', 'moved', 'joining')),
  -- The host, port and name of the other database.
  other text NOT NULL,
  -- How svc store move resume connects to it; null once the move has ended. Only the owner reads it.
  url text
);

-- The tables that are copied: all but those about this database and the hosts on it, those of rebuilds, which begin again,
-- and those of extensions. Each segment of a log is a table.
-- Lock: none.
CREATE FUNCTION svc_copied_tables() RETURNS TABLE(name text, is_sealed boolean) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT c.relname::text, EXISTS (SELECT 1 FROM svc_segments s
      WHERE s.state = 'sealed' AND c.relname IN ('svc_events_' || s.low, 'svc_system_events_' || s.low))
    FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
      AND c.relname !~ '^svc_(new|old)_' AND c.relname NOT IN ('svc_move', 'svc_leases', 'svc_hosts')
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
$$;

-- Refuses every change of a store that has moved.
-- Lock: none.
CREATE FUNCTION svc_refuse_moved() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RAISE EXCEPTION 'the store has moved to %', (SELECT other FROM svc_move) USING ERRCODE = 'SV003';
END $$;

-- Makes all writers wait until the transaction ends. If it commits, they are refused, as are all later ones.
-- Lock: takes the log lock, then SHARE ROW EXCLUSIVE on every table.
CREATE FUNCTION svc_hold_store() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE one regclass;
BEGIN
  PERFORM svc_lock_log();
  -- The progress first, as a follower changes it before it changes anything else: otherwise each could wait for the other.
  -- Nobody writes to a segment but through its log; an application may write to a partition of its own.
  FOR one IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
    AND c.relkind IN ('r', 'p') AND NOT (c.relispartition AND c.relname ~ '^svc_') AND c.relname !~ '^svc_(new|old)_'
    AND c.relname <> 'svc_move'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname <> 'svc_progress', c.relname
  LOOP
    EXECUTE format('CREATE TRIGGER svc_moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_moved()', one);
  END LOOP;
END $$;

-- Makes this database the store, in a new epoch; returns it.
-- Lock: takes the log lock, then ACCESS EXCLUSIVE on the views of the open segment.
CREATE FUNCTION svc_open_moved() RETURNS int LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT svc_lock_log();
  UPDATE svc_store SET cluster = svc_cluster(), database_oid = svc_database_oid();
  DELETE FROM svc_move;
  DROP TRIGGER svc_moved ON svc_store;
  SELECT svc_show_open_segment();
  SELECT svc_begin_epoch(0, svc_head())
$$;
