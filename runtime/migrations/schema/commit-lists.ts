import { namesOf } from './commit-text.js';
import { append } from './commit.js';

/**
 * The lists of all units of a flush, each entry with its unit: c_ = cursors, h_ = handled events, a_ = keys aside,
 * t_ = timers, x_ = ended timers, n_ = reserved names, m_ = processes. A duration of -1 is none.
 * l_mixed: two units of the flush touch the same thing.
 */
const parameters = /* sql */ `,
  l_mixed boolean, c_name text[], c_epoch int[], c_low bigint[],
  h_unit int[], h_cursor int[], h_position bigint[], h_key text[],
  a_unit int[], a_cursor int[], a_key text[], a_from bigint[], a_next bigint[], a_state text[], a_attempts int[], a_in bigint[], a_error text[],
  t_unit int[], t_id uuid[], t_part smallint[], t_kind text[], t_name text[], t_key text[], t_in bigint[], t_at timestamptz[],
  t_keep boolean[], t_expires bigint[], t_attempts int[], t_parked boolean[], t_error text[], t_data json[], t_context json[],
  x_unit int[], x_id uuid[], x_due timestamptz[],
  n_unit int[], n_key uuid[], n_name text[], n_released text[], n_owner text[], n_for bigint[],
  m_unit int[], m_name text[], m_key text[], m_revision bigint[], m_version int[], m_state text[], m_status text[],
  m_snapshot json[], m_trail json[], m_error text[]`;

/** The lists with a unit, and the variables of the entries that are looked at: of all units, or of one. */
const lists = ['h', 'a', 't', 'x', 'n', 'm'] as const;

/*
 * What refuses an entry from ..0 to ..1 of a list. Everything is looked up one by one: a join, or an EXISTS that may be
 * hashed, planned while a table was empty would scan it for ever after.
 */
const refused = {
  h: /* sql */ `EXISTS (SELECT 1 FROM generate_series(h0, h1) i
        LEFT JOIN LATERAL (SELECT v.epoch, v.position, v.done FROM svc_progress v WHERE v.name = c_name[h_cursor[i]] LIMIT 1) v ON true
        WHERE v.epoch IS DISTINCT FROM c_epoch[h_cursor[i]] OR h_position[i] <= v.position OR h_position[i] = ANY(v.done)
          OR (SELECT true FROM svc_aside w WHERE w.cursor = c_name[h_cursor[i]] AND w.key = h_key[i]))`,
  a: /* sql */ `EXISTS (SELECT 1 FROM generate_series(a0, a1) i
        WHERE (SELECT v.epoch FROM svc_progress v WHERE v.name = c_name[a_cursor[i]]) IS DISTINCT FROM c_epoch[a_cursor[i]]
          OR coalesce((SELECT w.position FROM svc_aside w WHERE w.cursor = c_name[a_cursor[i]] AND w.key = a_key[i]), 0) <> a_from[i])`,
  x: /* sql */ `EXISTS (SELECT 1 FROM generate_series(x0, x1) i WHERE x_due[i] IS NOT NULL
        AND (SELECT v.due_at FROM svc_timers v WHERE v.id = x_id[i]) IS DISTINCT FROM x_due[i])`,
  m: /* sql */ `EXISTS (SELECT 1 FROM generate_series(m0, m1) i
        WHERE coalesce((SELECT v.revision FROM svc_processes v WHERE v.name = m_name[i] AND v.key = m_key[i]), 0) <> m_revision[i])`,
  n: /* sql */ `EXISTS (SELECT 1 FROM generate_series(n0, n1) i WHERE n_owner[i] IS NOT NULL
        AND (SELECT v.owner <> n_owner[i] AND v.owner IS DISTINCT FROM n_released[i] FROM svc_reservations v
          WHERE v.key = n_key[i] AND coalesce(v.until > at, true)))`,
} as const;

/** A query is prepared even where its list is empty: only the lists that have entries are asked for. */
const singlyWhenRefused = (['h', 'a', 'x', 'm', 'n'] as const)
  .map((list) => `IF NOT singly AND ${list}1 >= ${list}0 THEN singly := ${refused[list]}; END IF;`)
  .join('\n  ');

const isRefused = (list: keyof typeof refused): string => `${list}1 >= ${list}0 AND ${refused[list]}`;

const milliseconds = (list: string): string => `${list}[i] * interval '1 millisecond'`;
const isStored = (list: string): string => `r_status[${list}_unit[i]] = 1`;

/** What a key settled aside is done for its cursor as well: another owner must not handle it again. */
const storeProgress = (low: string): string => /* sql */ `
      UPDATE svc_progress v SET (position, done) = (SELECT greatest(v.position, ${low}), ARRAY(SELECT d FROM unnest(v.done
          || ARRAY(SELECT h_position[i] FROM generate_series(h0, h1) i WHERE h_cursor[i] = c AND ${isStored('h')})
          || CASE WHEN a1 >= a0 THEN ARRAY(SELECT a_from[i] FROM generate_series(a0, a1) i WHERE a_cursor[i] = c AND ${isStored('a')}
            AND a_from[i] > v.position AND a_from[i] <> a_next[i] AND NOT a_from[i] = ANY(v.done)) END) d
          WHERE d > greatest(v.position, ${low}))
        FROM generate_series(1, cardinality(c_name)) c WHERE c_name[c] = v.name AND c_epoch[c] = v.epoch)
        WHERE v.name = ANY(used);`;

/** An accepted unit has the epoch of its cursor; what others hold for settled is not. */
const usedCursors = (handled: string, aside: string): string =>
  `ARRAY(SELECT c_name[h_cursor[i]] FROM generate_series(${handled}) i WHERE ${isStored('h')}
        UNION SELECT c_name[a_cursor[i]] FROM generate_series(${aside}) i WHERE ${isStored('a')})`;

const storeAside = /* sql */ `
      FOR i IN a0 .. a1 LOOP
        CONTINUE WHEN r_status[a_unit[i]] <> 1;
        IF a_next[i] = 0 THEN DELETE FROM svc_aside v WHERE v.cursor = c_name[a_cursor[i]] AND v.key = a_key[i];
        ELSE
          INSERT INTO svc_aside(cursor, key, position, state, attempts, next_attempt_at, error)
            VALUES (c_name[a_cursor[i]], a_key[i], a_next[i], a_state[i], a_attempts[i], at + ${milliseconds('a_in')}, a_error[i])
            ON CONFLICT (cursor, key) DO UPDATE SET (position, state, attempts, next_attempt_at, error) =
              (excluded.position, excluded.state, excluded.attempts, excluded.next_attempt_at, excluded.error);
        END IF;
      END LOOP;`;

/** A due time never lies before the commit: what is due can be read from where the last look ended. */
const storeTimers = /* sql */ `
    IF x1 >= x0 THEN
      DELETE FROM svc_timers v WHERE v.id = ANY(ARRAY(SELECT x_id[i] FROM generate_series(x0, x1) i WHERE ${isStored('x')}));
    END IF;
    IF t1 >= t0 THEN
      INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, expires_ms, attempts, parked, error, data, context)
        SELECT t_id[i], t_part[i], least(greatest(coalesce(t_at[i], at + ${milliseconds('t_in')}), at), at + interval '87672 hours'),
          t_kind[i], t_name[i], t_key[i], at, nullif(t_expires[i], -1), t_attempts[i], t_parked[i], t_error[i], t_data[i], t_context[i]
        FROM generate_series(t0, t1) i
        WHERE ${isStored('t')} AND (NOT t_keep[i] OR (SELECT true FROM svc_timers v WHERE v.id = t_id[i]) IS NULL)
        ON CONFLICT (id) DO UPDATE SET (part, due_at, kind, name, key, set_at, expires_ms, attempts, parked, error, data, context) =
          (excluded.part, excluded.due_at, excluded.kind, excluded.name, excluded.key, excluded.set_at, excluded.expires_ms,
            excluded.attempts, excluded.parked, excluded.error, excluded.data, excluded.context);
    END IF;`;

const storeReservations = /* sql */ `
    IF n1 >= n0 THEN
      IF array_position(n_owner[n0 : n1], NULL) > 0 THEN
        DELETE FROM svc_reservations v
          WHERE v.key = ANY(ARRAY(SELECT n_key[i] FROM generate_series(n0, n1) i WHERE n_owner[i] IS NULL AND ${isStored('n')}))
            AND v.owner = n_released[n0 - 1 + array_position(n_key[n0 : n1], v.key)];
      END IF;
      INSERT INTO svc_reservations(key, name, owner, reserved_at, until)
        SELECT n_key[i], n_name[i], n_owner[i], at, CASE WHEN n_for[i] >= 0 THEN at + ${milliseconds('n_for')} END
        FROM generate_series(n0, n1) i WHERE n_owner[i] IS NOT NULL AND ${isStored('n')}
        ON CONFLICT (key) DO UPDATE SET (name, owner, reserved_at, until) =
          (excluded.name, excluded.owner, excluded.reserved_at, excluded.until);
    END IF;`;

const storeProcesses = /* sql */ `
    IF m1 >= m0 THEN
      INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at)
        SELECT m_name[i], m_key[i], m_revision[i] + 1, m_version[i], m_state[i], m_status[i], m_snapshot[i], m_trail[i], m_error[i], at, at
        FROM generate_series(m0, m1) i WHERE ${isStored('m')}
        ON CONFLICT (name, key) DO UPDATE SET (revision, version, state, status, snapshot, trail, error, updated_at) =
          (excluded.revision, excluded.version, excluded.state, excluded.status, excluded.snapshot, excluded.trail, excluded.error, excluded.updated_at);
    END IF;`;

const store = `${storeTimers}${storeReservations}${storeProcesses}`;

/**
 * Most flushes are clean: nothing in them is refused, and no two units touch the same thing. Their lists are checked at once
 * and stored at once; in others the units follow one another.
 */
export const commitLists = append({
  version: 'v4',
  parameters,
  names: namesOf(parameters),
  variables: `
  singly boolean := l_mixed; used text[]; ${lists.map((list) => `${list}0 int := 1; ${list}1 int := cardinality(${list}_unit);`).join(' ')}`,
  before: /* sql */ `
  ${singlyWhenRefused}
  IF singly THEN ${lists.map((list) => `${list}1 := 0;`).join(' ')} END IF;`,
  plain: ' AND NOT singly',
  check: /* sql */ `
    IF singly THEN${lists
      .map(
        (list) => `
      ${list}0 := ${list}1 + 1; WHILE ${list}_unit[${list}1 + 1] = u LOOP ${list}1 := ${list}1 + 1; END LOOP;`,
      )
      .join('')}
      IF ${isRefused('h')} THEN st := 5;
      ELSIF ${isRefused('a')} THEN st := 5;
      ELSIF ${isRefused('x')} THEN st := 6;
      ELSIF ${isRefused('m')} THEN st := 2;
      ELSIF st = 1 AND ${isRefused('n')} THEN st := 7;
      END IF;
    END IF;`,
  store: /* sql */ `
    IF singly AND st = 1 THEN
    IF h1 >= h0 OR a1 >= a0 THEN
      used := ${usedCursors('h0, h1', 'a0, a1')};${storeProgress('0')}${storeAside}
    END IF;${store}
    END IF;`,
  after: /* sql */ `IF singly THEN ${lists.map((list) => `${list}0 := 1; ${list}1 := 0;`).join(' ')} END IF;
  IF cardinality(c_name) > 0 THEN
    IF 1 = ALL(r_status) THEN used := c_name; ELSE used := ${usedCursors('1, cardinality(h_unit)', '1, cardinality(a_unit)')}; END IF;${storeProgress('c_low[c]')}${storeAside}
  END IF;${store}
  `,
  notify: ' + cardinality(t_unit) + cardinality(a_unit)',
});
