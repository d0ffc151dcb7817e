/** The first position recorded since a time, as SQL, found by bisection: positions and times rise together. */
export const firstSince = (table: string, position: string, time: string): string => `(
  WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, coalesce((SELECT max(${position}) FROM ${table}), 0)
    UNION ALL
    SELECT CASE WHEN probe.late THEN search.low ELSE (search.low + search.high) / 2 + 1 END,
      CASE WHEN probe.late THEN (search.low + search.high) / 2 ELSE search.high END
    FROM search, LATERAL (
      SELECT recorded_at >= ${time}::timestamptz AS late FROM ${table}
      WHERE ${position} >= (search.low + search.high) / 2 ORDER BY ${position} LIMIT 1) probe
    WHERE search.low < search.high)
  SELECT low FROM search ORDER BY high - low LIMIT 1)`;
