/** SQL that adds dead letters: received messages of one byte. */
export const receivedLetters = (count: number): string =>
  `INSERT INTO svc_stuck_work(follower, key, state, attempts, error, fingerprint, id, message_type, destination, bytes, body)
    SELECT 'inbox', 'letter ' || n, 'parked', 1, 'no oven', '00000000000a', nextval('svc_dead_letter_ids'),
      'Baked', 'svc.events.Baked', 1, 'x' FROM generate_series(1, ${count}) n`;
