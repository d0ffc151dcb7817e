/** The table of a view of a perspective; `view` is an SQL expression of its name. */
export const tableOfView = (view: string): string => `(
  SELECT d.refobjid::regclass::text FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass
  WHERE r.ev_class = to_regclass(${view}) AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class LIMIT 1)`;
