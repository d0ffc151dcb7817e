-- Failed work of all followers: being retried, waiting for an operator, or settled by one.

-- Rows of reactions and processes are written under the log lock alone, so that no commit waits for one. What a commit
-- changes in them, but for the state, is in no index, nor in a condition of one: such an update stays within its page.
CREATE TABLE svc_stuck_work (
  -- As in svc_progress and svc_leases: the table of a perspective, the cursor of a reaction or process, outbox or inbox.
  follower text,
  -- Of the outbox the position, of the inbox the subject and the digest of the message.
  key text,
  -- The event it is stuck at, and whose tenant it has. Null for a received message: the log does not have it.
  position bigint,
  -- A dead letter that waits is parked; one to replay is retrying, until it is replayed.
  state text NOT NULL CHECK (state IN ('retrying', 'parked', 'replayed', 'discarded')),
  -- When a host first failed at this event, or parked it.
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts int NOT NULL,
  next_attempt_at timestamptz,
  error text,
  -- Stored with dead letters only; svc stuck computes it from the error.
  fingerprint text,
  -- The event of a reaction or process that an operator gave up: hosts skip it.
  given_up bigint,
  -- The number of a dead letter; null while the relay still retries the message. What follows is for dead letters.
  id bigint,
  -- Also set for perspectives.
  message_id uuid,
  message_type text,
  destination text,
  resolved_at timestamptz,
  resolved_by text,
  reason text,
  -- A received message as it came, until the letter is settled, and its length: of some only the beginning is kept.
  headers json,
  body bytea,
  bytes int,
  -- How often a host has been given it since an operator asked for a replay.
  replays int NOT NULL DEFAULT 0,
  -- Whose it is, according to a received message.
  tenant text,
  -- Not null if the store named in the message may not have sent it: the reason and that store.
  doubt text,
  PRIMARY KEY (follower, key)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX svc_stuck_work_letter ON svc_stuck_work(id) WHERE id IS NOT NULL;
-- Lists the refused messages. On the key, as an index on the position would end the updates within a page.
CREATE INDEX svc_stuck_work_refused ON svc_stuck_work(key) WHERE follower = 'outbox' AND id IS NULL;
-- Finds what an operator has released among very many parked keys.
CREATE INDEX svc_stuck_work_retrying ON svc_stuck_work(follower, key) WHERE state = 'retrying';
-- Finds what is still parked among very many that were released, and counts it without a look at the rows.
CREATE INDEX svc_stuck_work_parked ON svc_stuck_work(follower, key) WHERE state = 'parked';
CREATE INDEX svc_stuck_work_waiting ON svc_stuck_work(follower, state, id) WHERE id IS NOT NULL AND state IN ('retrying', 'parked');
CREATE INDEX svc_stuck_work_doubtful ON svc_stuck_work(doubt) WHERE doubt IS NOT NULL AND state IN ('retrying', 'parked');
CREATE SEQUENCE svc_dead_letter_ids;
