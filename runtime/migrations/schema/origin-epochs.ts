/**
 * The histories of other stores. One that went back sends its events again from the fork on: if we hold something beyond
 * it, that no longer exists there, and what comes now does not fit.
 */
export const originEpochs = /* sql */ `
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS epoch int;
-- Where its epoch began, and the newest position of its log that came.
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS fork bigint;
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS seen_to bigint;
-- Set: its messages are held until an operator has decided.
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS held_epoch int;
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS held_fork bigint;

-- Groups of messages in their order, each of one store and epoch; h_position = the newest, h_forks = 'epoch:fork …'.
-- Status: 1 current, 2 held, 3 held from now on, 4 of an earlier epoch: lost there if beyond r_fork, 5 nothing was received
-- from this store yet: call again when it was. No status: another subscriber holds the lease.
CREATE OR REPLACE FUNCTION svc_receive_epochs(p_owner uuid, h_store uuid[], h_epoch int[], h_position bigint[], h_forks text[],
  OUT r_status smallint[], OUT r_fork bigint[], OUT r_seen bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE o svc_origins; began bigint; st smallint; at_fork bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) THEN RETURN; END IF;
  r_status := '{}'; r_fork := '{}'; r_seen := '{}';
  FOR i IN 1 .. cardinality(h_store) LOOP
    SELECT * INTO o FROM svc_origins v WHERE v.store = h_store[i] AND v.origin <> 0 FOR UPDATE;
    st := 1; at_fork := 0;
    IF NOT FOUND THEN st := 5;
    ELSIF o.held_epoch IS NOT NULL THEN st := 2; at_fork := o.held_fork;
    ELSIF h_epoch[i] < o.epoch THEN st := 4; at_fork := coalesce(o.fork, o.seen_to);
    ELSE
      SELECT min(split_part(f, ':', 2)::bigint) INTO began FROM unnest(string_to_array(h_forks[i], ' ')) f
        WHERE split_part(f, ':', 1)::int > coalesce(o.epoch, h_epoch[i]);
      IF o.seen_to > began THEN
        st := 3; at_fork := began;
        UPDATE svc_origins v SET held_epoch = h_epoch[i], held_fork = began WHERE v.origin = o.origin;
      ELSIF h_epoch[i] IS DISTINCT FROM o.epoch OR h_position[i] > coalesce(o.seen_to, 0) THEN
        UPDATE svc_origins v SET epoch = h_epoch[i], fork = coalesce(began, v.fork),
            seen_to = greatest(v.seen_to, h_position[i]) WHERE v.origin = o.origin;
      END IF;
    END IF;
    r_status := r_status || st; r_fork := r_fork || at_fork; r_seen := r_seen || coalesce(o.seen_to, 0);
  END LOOP;
END $$;

-- What we hold beyond the fork stays; from now on the store is believed from its held epoch on.
CREATE OR REPLACE FUNCTION svc_release_origin(p_store uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_origins SET epoch = held_epoch, fork = held_fork, seen_to = held_fork, held_epoch = NULL, held_fork = NULL
    WHERE store = p_store AND held_epoch IS NOT NULL;
  RETURN FOUND;
END $$;
`;
