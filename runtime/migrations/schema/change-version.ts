/** Counts the changes of tables, and notifies a channel of each. */
export const changeVersion = (
  name: string,
  channel: string,
  tables: readonly string[],
): string => /* sql */ `-- Readers compare the version before they read everything again.
CREATE TABLE IF NOT EXISTS ${name}_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO ${name}_version DEFAULT VALUES ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION ${name}_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE ${name}_version SET version = version + 1;
  NOTIFY ${channel};
  RETURN NULL;
END $$;
${tables.map((table) => triggerOn(name, table)).join('\n')}`;

const triggerOn = (
  name: string,
  table: string,
): string => /* sql */ `CREATE OR REPLACE TRIGGER ${name}_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION ${name}_changed();`;
