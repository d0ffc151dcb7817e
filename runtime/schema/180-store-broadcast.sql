-- Each host declares whether it broadcasts its system messages. The host that started last records its choice in the store,
-- and the command line follows the record.

-- Takes the lock of the append that follows first, so that nothing waits behind the row of the store.
-- Lock: takes the log lock.
CREATE FUNCTION svc_set_broadcast(p_broadcast boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_lock_log();
  UPDATE svc_store SET broadcast = p_broadcast
$$;
