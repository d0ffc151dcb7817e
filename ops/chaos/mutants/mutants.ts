import { connect } from '../../../runtime/database/connect.js';

/** A mistake that is planted in a store. A run with faults finds it, unless something else keeps the promise, too. */
export interface Mutant {
  readonly mistake: string;
  readonly routine: string;
  /** Text of the routine, and what replaces it. */
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

const lockOfTheLog = `pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int) IS NULL`;

export const mutants = {
  answerBeforeCommit: {
    mistake: 'answers before the commit is on disk',
    routine: 'svc_append',
    changes: [[lockOfTheLog, `set_config('synchronous_commit', 'off', true) IS NULL OR ${lockOfTheLog}`]],
  },
  lockDropped: {
    mistake: 'takes no lock of the log',
    routine: 'svc_append',
    changes: [[lockOfTheLog, 'true']],
  },
  conflictIgnored: {
    mistake: 'stores what was decided on a version of a stream that is not its last',
    routine: 'svc_append',
    changes: [
      ['IF pair_positions[k] IS DISTINCT FROM stream_heads[pair_streams[k]] THEN status := 2; END IF;', ''],
    ],
  },
  chainSkipped: {
    mistake: 'leaves a record out of the chain',
    routine: 'svc_append',
    changes: [['chain_hash := svc_chain_hash(', 'PERFORM svc_chain_hash(']],
  },
  answerNotKept: {
    mistake: 'does not keep the answer of an idempotency key',
    routine: 'svc_append',
    changes: [[`WHERE r.unit_status = 1 AND r.key IS NOT NULL`, `WHERE false`]],
  },
  fenceIgnored: {
    mistake: 'accepts what a host handled after another had taken over, and has no leases either',
    routine: 'svc_check_lists',
    changes: [
      [
        'v.epoch <> lists.cursor_epochs[h.cursor] OR h.position <= v.position OR h.position = ANY(v.done)',
        'false',
      ],
    ],
  },
} as const satisfies Readonly<Record<string, Mutant>>;

/** Plants the mistake in a store, before its hosts start. */
export async function plant(url: string, { routine, changes }: Mutant): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ text: string }>('SELECT pg_get_functiondef($1::regproc) AS text', [
      routine,
    ]);
    let text = rows[0]?.text ?? '';
    for (const [before, after] of changes) {
      if (text.split(before).length !== 2) throw new TypeError(`${routine} does not contain once: ${before}`);
      text = text.replace(before, () => after);
    }
    await client.query(text);
  } finally {
    await client.end();
  }
}
